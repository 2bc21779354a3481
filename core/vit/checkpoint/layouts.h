#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/vit/model.h"

namespace vitrine {

/// The names that one family of checkpoints gives to the tensors of a pre-norm Vision Transformer.
///
/// Names are ends: whatever stands before them ("vit.", "module.backbone.", nothing) is a prefix. Block names follow
/// the block's number. Weight and bias of a layer are "<name>.weight" and "<name>.bias".
struct Layout {
    const char* name;  // shown
    const char* class_token;
    const char* distillation_token;  // empty where the family has none
    const char* register_tokens;     // (1, registers, D), likewise
    const char* position;
    const char* patch_embedding;
    const char* ln1;
    const char* query;  // empty where `qkv` holds all three
    const char* key;
    const char* value;
    const char* qkv_weight;  // (3D, D), rows Q, K, V
    const char* qkv_bias;
    const char* projection;
    const char* ln2;
    const char* mlp_in;
    const char* mlp_out;
    std::vector<const char*> norm;        // the first that is there
    std::vector<const char*> classifier;  // likewise
    float layer_norm_epsilon;             // where no configuration says it

    /// How its family resizes pictures and what it normalises by, where no preprocessor is given.
    Preprocessing (*preprocessing)(const Config& config);
};

/// The name of a kind of learned token; empty where the family has none.
const char* name_of(const Layout& layout, TokenKind kind);

/// Every layout that is read, in the order they are tried.
std::span<const Layout> layouts();

/// The families of names, for messages: "Hugging Face, timm and …".
std::string families_in_words();

/// Ends of names that a classifier does not need: poolers, mask tokens.
std::span<const char* const> ends_passed_over();

/// A part that some models have and Vitrine's encoder has not, known by a piece of a tensor's name.
struct UnsupportedPart {
    const char* piece;
    const char* words;
    std::optional<TokenKind> token = {};  // read where the configuration lists tokens of this kind
};
std::span<const UnsupportedPart> unsupported_parts();

}  // namespace vitrine
