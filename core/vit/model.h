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
#include "core/transformer/position_grid.h"

namespace vitrine {

/// Tokens of z_L that the head reads; core/vit/readout.h computes the readout.
enum class Readout {
    class_token,
    mean,                    ///< of the patches: average pooling
    last,                    ///< the last token
    class_and_mean,          ///< the class token, followed by the mean of the patches: 2D numbers (DINOv2's classifier)
    class_and_distillation,  ///< each by its own classifier; the logits are the mean of both (Touvron et al. 2021)
    attention,               ///< the patches, weighed by the attention of one learned query (Zhai et al. 2022)
};
inline constexpr Named<Readout> readout_names[] = {{Readout::class_token, "class_token"},
                                                   {Readout::mean, "mean"},
                                                   {Readout::last, "last"},
                                                   {Readout::class_and_mean, "class_and_mean"},
                                                   {Readout::class_and_distillation, "class_and_distillation"},
                                                   {Readout::attention, "attention"}};
const char* name_of(Readout readout);

/// The kind of output of a model's last layer.
enum class HeadKind {
    classes,   ///< logits of classes, of which one is chosen: a softmax
    features,  ///< features of a projection, which are compared with those of texts (CLIP)
    values,    ///< estimated numbers: regression
    several,   ///< logits of labels, of which any number may apply: a sigmoid each
};
inline constexpr Named<HeadKind> head_kinds[] = {{HeadKind::classes, "classes"},
                                                 {HeadKind::features, "features"},
                                                 {HeadKind::values, "values"},
                                                 {HeadKind::several, "several"}};

/// Kinds of token.
enum class TokenKind {
    class_token,     ///< the input of the classifier, one learned vector for every image
    distillation,    ///< the input of a second classifier trained by distillation (Touvron et al. 2021)
    register_token,  ///< storage for intermediate results, which the head does not read (Darcet et al. 2024)
    patch,           ///< a patch of the image
};
inline constexpr Named<TokenKind> token_kinds[] = {{TokenKind::class_token, "class"},
                                                   {TokenKind::distillation, "distillation"},
                                                   {TokenKind::register_token, "register"},
                                                   {TokenKind::patch, "patch"}};

/// Whether a model may have several tokens of this kind, which are then numbered.
constexpr bool is_counted(TokenKind kind) { return kind == TokenKind::register_token || kind == TokenKind::patch; }

/// Consecutive learned tokens of one kind, before the patches.
struct LeadingTokens {
    TokenKind kind = TokenKind::class_token;
    int count = 1;
    bool placed = true;  ///< whether each has a position, a row of E_pos

    bool operator==(const LeadingTokens&) const = default;
};

/// Configuration of a Vision Transformer, which determines its shapes. Letters as in core/tensor/tensor.h.
struct Config : TransformerConfig, PixelShape {
    int patch_size = 0;                         // P
    int classes = 0;                            // 0: the model has no classifier
    std::vector<LeadingTokens> leading = {{}};  ///< the tokens before the patches in their order, each kind once
    Readout readout = Readout::class_token;
    bool norm_before_mean = false;  ///< for Readout::mean, whether the final norm acts on each patch, before the mean
    bool embedding_norm = false;    ///< whether a layer norm acts on z₀ before the blocks (CLIP)
    bool patch_bias = true;         ///< whether the patch embedding has a bias
    HeadKind ending = HeadKind::classes;
    int features = 0;  ///< outputs of a projection at the end: features, values or labels by `ending`; 0: none
    bool feature_bias = false;
    int pooling_dim = 0;              // M of the pooling's MLP, of Readout::attention
    std::vector<std::string> labels;  // empty, or one per class, or per output of the projection

    int grid_height() const { return image_height / patch_size; }
    int grid_width() const { return image_width / patch_size; }
    int patches() const { return grid_height() * grid_width(); }          // N_p
    int tokens() const { return leading_tokens() + patches(); }           // N
    int patch_dim() const { return channels * patch_size * patch_size; }  // C·P·P
    /// Whether the head reads two vectors, side by side or each by its own classifier.
    bool reads_two() const { return readout == Readout::class_and_mean || readout == Readout::class_and_distillation; }
    /// Whether the final norm acts on each of the head's input tokens, before these are combined.
    bool norms_tokens() const { return reads_two() || pools() || (readout == Readout::mean && norm_before_mean); }
    /// Whether the head pools the patches by attention.
    bool pools() const { return readout == Readout::attention; }
    /// The shapes of that attention and its MLP, as a block's configuration.
    TransformerConfig pooling() const;
    int read_dim() const { return embedding_dim * (reads_two() ? 2 : 1); }  // length of the head's input
    int classifier_inputs() const { return embedding_dim * (readout == Readout::class_and_mean ? 2 : 1); }

    // Tokens by kind: those of `leading` first, then the patches in reading order.
    int leading_tokens() const;
    bool is_patch(int token) const { return token >= leading_tokens(); }
    int patch_of(int token) const { return token - leading_tokens(); }
    int token_of(int patch) const { return leading_tokens() + patch; }
    TokenKind kind_of(int token) const;
    /// Index of a token among those of its kind, from 0.
    int number_in_kind(int token) const;
    /// Number of tokens of a kind, and the first of them; none if the model has none.
    int count_of(TokenKind kind) const;
    std::optional<int> first_of(TokenKind kind) const;
    /// The patches' values among the values of all tokens. (N) -> (N_p)
    std::span<const float> patches_of(std::span<const float> tokens) const {
        return tokens.subspan(static_cast<std::size_t>(leading_tokens()));
    }

    /// Rows of E_pos: the tokens that have a position, in their order.
    int position_rows() const { return position_table ? first_patch_position() + patches() : 0; }
    /// A token's row; none if the token has no position, or the model no table.
    std::optional<int> position_row(int token) const;
    /// The first patch's row; the other patches follow.
    int first_patch_position() const;

    /// The label of a class, or "class 281" without labels.
    std::string label(int index) const;
};

/// The parameters of a pooling by attention.
struct PoolingWeights : AttentionWeights, MlpWeights {
    Parameter probe;      // (1, D), the vector from which the query is computed
    LayerNormWeights ln;  // before the MLP
};

struct Weights {
    LinearWeights patch_embedding;    // E (D, C·P·P), a patch flattened in the order (c, y, x)
    Parameter leading;                // (leading tokens, D), or empty
    Parameter position;               // E_pos (tokens with a position, D), or empty
    LayerNormWeights embedding_norm;  // before the blocks, or empty
    std::vector<BlockWeights> blocks;
    LayerNormWeights norm;                  // the final layer norm
    PoolingWeights pooling;                 // empty in most models
    LinearWeights classifier;               // (classes, D), (classes, 2D) for Readout::class_and_mean, or empty
    LinearWeights distillation_classifier;  // (classes, D), or empty
    LinearWeights feature_projection;       // (features, D), (features, 2D) for Readout::class_and_mean, or empty

    std::size_t parameter_count() const;
};

struct Model;
/// The class token's learned vector (D); empty if the model has none.
std::span<const float> vector_of_class_token(const Model& model);

/// Origin of a model, for `info` and the window.
struct Provenance {
    std::string name;                      // displayed: the name of the folder or file
    std::string path;                      // "" for the bundled model
    std::string layout;                    // "Hugging Face", "timm", …
    std::vector<std::string> passed_over;  // tensors in the file that the encoder does not use
    std::vector<std::string> notes;        // inferred settings, one sentence each
    std::vector<FileStamp> files;          // stamps of the files when they were read; none for the bundled model
    std::string scenes;                    // the set of drawn pictures it was trained on, "picturebook"; "" if unknown
    std::string container = {};            // "safetensors", "PyTorch (zip)", …; "" for a model made here
};

/// Height and width of a model's images, in pixels.
struct ImageSize {
    int height = 0, width = 0;

    bool operator==(const ImageSize&) const = default;
};

/// A position table as a file stores it, and how its family interpolates it for another grid.
struct StoredPositions {
    Parameter table;  // (tokens with a position, D)
    PositionGrid grid;
    PositionRule rule = PositionRule::bicubic;
    PositionRule bias_rule = PositionRule::bilinear;  // for the blocks' tables of relative positions
};

/// An immutable Vision Transformer (Dosovitskiy et al. 2021).
struct Model {
    Config config;
    Preprocessing preprocessing;
    Weights weights;
    Provenance provenance;
    StoredPositions stored = {};              // if its table is empty, the stored table is that of `weights`
    std::shared_ptr<const Model> usual = {};  // the model at its usual image size, if this is another size
};

/// Whether a file of the model has changed since it was read; cheap enough to call every second.
bool changed_on_disk(const Model& model);

/// A model with normally distributed weights of standard deviation 0.02. A seed gives the same weights on every
/// platform.
Model random_model(const Config& config, std::uint64_t seed);

/// Packs every weight matrix for the matrix library (`PackedLinear`), which makes the forward pass faster. A block's
/// matrices are then kept only packed: `Parameter::stored` reads their numbers.
void prepare(Model& model, const Progress& progress = {});

}  // namespace vitrine
