#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/vit/model.h"

namespace vitrine {

/// Names of a gated MLP's layers.
struct GatedNames {
    const char* gate;   // (M, D); (2M, D) if the value's rows follow in the same tensor
    const char* value;  // empty if `gate` holds both
    const char* out;    // (D, M)
};

/// Names of a pooling by attention, outside the blocks. Queries, keys and values are separate layers, or fused.
struct PoolingNames {
    const char* probe = "";  // (1, 1, D); empty if the family has no such pooling
    const char* qkv_weight = "";
    const char* qkv_bias = "";
    const char* query = "";
    const char* key = "";
    const char* value = "";
    const char* key_and_value = "";  // (2D, D)
    const char* projection = "";
    const char* ln = "";
    const char* mlp_in = "";
    const char* mlp_out = "";
};

/// Tensor names of one family of checkpoints for a pre-norm Vision Transformer. Names are suffixes: any prefix may
/// precede them ("vit.", "module.backbone.", nothing). Block names follow the block's number. A layer's weight and bias
/// are "<name>.weight" and "<name>.bias".
struct Layout {
    const char* name = "";  // as shown
    const char* class_token = "";
    const char* distillation_token = "";  // empty if the family has none
    const char* register_tokens = "";     // (1, registers, D), empty if the family has none
    const char* position = "";            // as written in the file; empty if the family adds none
    const char* patch_embedding;          // its bias may be absent if a norm precedes the blocks
    const char* ln1;
    const char* query = "";  // empty if `qkv` holds all three
    const char* key = "";
    const char* value = "";
    const char* qkv_weight = "";  // (3D, D), rows Q, K, V
    const char* qkv_bias = "";
    const char* query_bias = "";  // for a fused weight without `qkv_bias`; keys have no bias
    const char* value_bias = "";
    const char* projection;
    const char* ln2;
    const char* mlp_in;
    const char* mlp_out;
    std::vector<const char*> norm;                                    // candidates; the first that exists is used
    std::vector<const char*> classifier = {};                         // candidates; the first that exists is used
    std::vector<const char*> layer_scale_1 = {}, layer_scale_2 = {};  // candidates for the branches' gains
    std::vector<GatedNames> gated_mlp = {};                           // candidates; the first whose shapes fit is used
    std::vector<const char*> mlp_norm = {};                           // candidates for the norm of the hidden layer
    const char* query_norm = "";  // norm of each head's queries; empty if the family has none
    const char* key_norm = "";
    const char* position_bias = "";         // a block's table of relative positions
    const char* shared_position_bias = "";  // a table for all blocks, outside the blocks
    float layer_norm_epsilon = 1e-6F;       // default without a configuration
    // Optional parts: empty if the family has none.
    const char* embedding_norm = "";         // layer norm before the blocks
    const char* pooled_norm = "";            // final norm that follows the mean of the patches, instead of `norm`
    const char* second_classifier = "";      // of the distillation token
    const char* features = "";               // projection at the end: (features, D), or (D, features) as a bare matrix
    const char* other_register_tokens = "";  // another name for register tokens
    Activation activation = Activation::gelu;  // default without a configuration
    /// Replaces `activation`, if not null.
    Activation (*activation_by_size)(int embedding_dim, int patch_size, std::size_t positions) = nullptr;

    /// Default preprocessing of the family, without a preprocessor's file.
    Preprocessing (*preprocessing)(const Config& config);

    PositionRule position_rule = PositionRule::bicubic;    // for images of another size
    PositionRule bias_rule = PositionRule::bilinear;       // the same for tables of relative positions
    std::optional<PositionRule> rule_with_registers = {};  // for the family's models with registers, if it differs
    bool runs_at_crop = false;     // the family's own code accepts images of the preprocessor's size for any table
    bool matched_by_ends = false;  // names of coursework, whose prefixes vary: a note says which ones were matched
    PoolingNames pooling = {};
    std::vector<const char*> with = {}, without = {};  // tensors that distinguish families with the same names
    std::optional<Rotary> rotary = {};                 // for a family without `position` that rotates queries and keys
};

/// The names of a kind of learned token, the usual one first; empty ones if the family has none.
std::vector<const char*> names_of(const Layout& layout, TokenKind kind);

/// All supported layouts, in the order in which they are tried.
std::span<const Layout> layouts();

/// Names of the families, for messages: "Hugging Face, timm and …".
std::string families_in_words();

/// Suffixes of tensors that a classifier does not need: poolers, mask tokens.
std::span<const char* const> ends_passed_over();

/// A part that Vitrine's encoder does not support, recognised by a piece of a tensor's name.
struct UnsupportedPart {
    const char* piece;
    const char* words;
};
std::span<const UnsupportedPart> unsupported_parts();

}  // namespace vitrine
