#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/base/names.h"
#include "core/base/progress.h"
#include "core/files/preprocessing.h"
#include "core/tensor/parameter.h"
#include "core/transformer/block_weights.h"

namespace vitrine {

/// What the head reads of z_L, before the final norm: see core/vit/readout.h.
enum class Readout {
    class_token,
    mean,  ///< of the patches: average pooling
    last,  ///< the last token
};
inline constexpr Named<Readout> readout_names[] = {
    {Readout::class_token, "class_token"}, {Readout::mean, "mean"}, {Readout::last, "last"}};
const char* name_of(Readout readout);

/// What a token stands for.
enum class TokenKind {
    class_token,     ///< what a classifier reads, one learned vector for every image
    distillation,    ///< what a second classifier reads that learned from a teacher (Touvron et al. 2021)
    register_token,  ///< a place for intermediate results, which nothing reads at the end (Darcet et al. 2024)
    patch,           ///< a patch of the image
};
inline constexpr Named<TokenKind> token_kinds[] = {{TokenKind::class_token, "class"},
                                                   {TokenKind::distillation, "distillation"},
                                                   {TokenKind::register_token, "register"},
                                                   {TokenKind::patch, "patch"}};

/// Whether a model may have several tokens of a kind, which are then counted.
constexpr bool is_counted(TokenKind kind) { return kind == TokenKind::register_token || kind == TokenKind::patch; }

/// Learned tokens of one kind, next to one another before the patches.
struct LeadingTokens {
    TokenKind kind = TokenKind::class_token;
    int count = 1;
    bool placed = true;  ///< whether each has a position, a row of E_pos

    bool operator==(const LeadingTokens&) const = default;
};

/// What decides every shape of a Vision Transformer. Letters as in core/tensor/tensor.h.
struct Config : TransformerConfig, PixelShape {
    int patch_size = 0;                         // P
    int classes = 0;                            // 0: the model has no classifier
    std::vector<LeadingTokens> leading = {{}};  ///< the tokens before the patches in their order, each kind once
    Readout readout = Readout::class_token;
    std::vector<std::string> labels;  // empty, or one for each class

    int grid_height() const { return image_height / patch_size; }
    int grid_width() const { return image_width / patch_size; }
    int patches() const { return grid_height() * grid_width(); }          // N_p
    int tokens() const { return leading_tokens() + patches(); }           // N
    int patch_dim() const { return channels * patch_size * patch_size; }  // C·P·P

    // Tokens by kind: those of `leading` first, then the patches row by row.
    int leading_tokens() const;
    bool is_patch(int token) const { return token >= leading_tokens(); }
    int patch_of(int token) const { return token - leading_tokens(); }
    int token_of(int patch) const { return leading_tokens() + patch; }
    TokenKind kind_of(int token) const;
    /// Its number among the tokens of its kind, from 0 on.
    int number_in_kind(int token) const;
    /// How many of a kind there are, and the first of them; none where the model has none.
    int count_of(TokenKind kind) const;
    std::optional<int> first_of(TokenKind kind) const;
    /// The patches' part of a number for every token.      (N)  ->  (N_p)
    std::span<const float> patches_of(std::span<const float> tokens) const {
        return tokens.subspan(static_cast<std::size_t>(leading_tokens()));
    }

    /// The tokens that have a position are the rows of E_pos, in their order.
    int position_rows() const { return first_patch_position() + patches(); }
    /// The row of a token; none where it has no position.
    std::optional<int> position_row(int token) const;
    /// The row of the first patch; those of the others follow.
    int first_patch_position() const;

    /// "class 281" where the model has no labels.
    std::string label(int index) const;
};

struct Weights {
    LinearWeights patch_embedding;  // E (D, C·P·P), a patch flattened in the order (c, y, x)
    Parameter leading;              // (leading tokens, D), or empty
    Parameter position;             // E_pos (rows of the tokens that have a position, D)
    std::vector<BlockWeights> blocks;
    LayerNormWeights norm;     // the final layer norm
    LinearWeights classifier;  // (classes, D), or empty

    std::size_t parameter_count() const;
};

struct Model;
/// The learned vector of the class token (D); empty where the model has none.
std::span<const float> vector_of_class_token(const Model& model);

/// Where a model came from, for `info` and the window.
struct Provenance {
    std::string name;                      // shown: the folder's or file's name
    std::string path;                      // "" for the bundled model
    std::string layout;                    // "Hugging Face", "timm", …
    std::vector<std::string> passed_over;  // tensors of the file that the encoder does not use
    std::vector<std::string> notes;        // what was inferred, one sentence each
    std::vector<FileStamp> files;          // as they were when they were read; none of the bundled model
    std::string scenes;                    // the set of drawn pictures it learned from, "picturebook"; "" unsaid
};

/// An immutable pre-norm Vision Transformer (Dosovitskiy et al. 2021).
struct Model {
    Config config;
    Preprocessing preprocessing;
    Weights weights;
    Provenance provenance;
};

/// Whether a file that the model was read from is another one now; so cheap that it can be asked every second.
bool changed_on_disk(const Model& model);

/// A model of normally distributed weights with standard deviation 0.02, the same for the same seed on every platform.
Model random_model(const Config& config, std::uint64_t seed);

/// Lays every weight matrix out for the matrix library (`PackedLinear`); the forward pass works without, but slower.
void prepare(Model& model, const Progress& progress = {});

}  // namespace vitrine
