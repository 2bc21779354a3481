#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct Config;
struct Equations;
struct Intervention;
struct Model;
class Trace;

/// A tensor of a run or of a model whose elements can be pointed at.
enum class Quantity {
    image,            // (C·H, W), the channels below one another
    patch_embedding,  // (N_p, D)
    tokens,           // (N, D)
    position,         // (tokens with a position, D)  E_pos
    rotation,         // (N, d/2)      the angles of rotary positions
    placed,           // (N, D)        tokens + E_pos, of a model with a norm before its blocks
    z,                // (N, D)        zℓ, ℓ = 0 … L
    ln1_mean,         // (1, N)
    ln1_var,          // (1, N)
    ln1,              // (N, D)
    q,
    k,
    v,  // (N, d)         of one head
    q_normed,
    k_normed,  // (N, d)         of one head, if queries and keys are normalised
    q_turned,
    k_turned,        // (N, d)         of one head, with rotary positions
    scores,          // (N, N)         of one head
    attention,       // (N, N)         of one head
    heads,           // (N, d)         of one head
    msa,             // (N, D)
    msa_scaled,      // (N, D)         only with layer scale
    residual,        // (N, D)
    ln2_mean,        // (1, N)
    ln2_var,         // (1, N)
    ln2,             // (N, D)
    mlp_hidden,      // (N, M)
    mlp_activation,  // (N, M)
    mlp_value,       // (N, M)         of a gated MLP
    mlp_gated,       // (N, M)         activation ⊙ value
    mlp_norm,        // (N, M)         of the hidden layer, if the MLP has such a norm
    mlp_out,         // (N, D)
    mlp_scaled,      // (N, D)         only with layer scale
    head_tokens,     // (R, D)        of a head that normalises each of its R input tokens
    // Tensors of a pooling by attention; shapes with heads are of one head.
    pool_q,           // (1, d)
    pool_k,           // (N_p, d)
    pool_v,           // (N_p, d)
    pool_scores,      // (1, N_p)
    pool_attention,   // (1, N_p)
    pool_heads,       // (1, d)
    pool_msa,         // (1, D)
    pool_ln,          // (1, D)
    pool_hidden,      // (1, M)         M of the pooling's MLP
    pool_activation,  // (1, M)
    pool_mlp,         // (1, D)
    head_ln,          // (1, D), or (1, 2D)
    head_each,        // (2, classes)  of a head with two classifiers
    features,         // (1, features)
    logits,           // (1, classes)
    probabilities,    // (1, classes)
    // The model's parameters; weights as PyTorch stores them, (out, in), all others (1, n).
    patch_weight,
    patch_bias,
    class_token,
    distillation_token,
    register_tokens,  // (registers, D)
    embedding_norm_gamma,
    embedding_norm_beta,
    ln1_gamma,
    ln1_beta,
    query_weight,
    query_bias,
    key_weight,
    key_bias,
    value_weight,
    value_bias,
    query_norm_gamma,
    query_norm_beta,
    key_norm_gamma,
    key_norm_beta,
    position_bias,  // (rows, h), the table of relative positions
    projection_weight,
    projection_bias,
    layer_scale_1,
    ln2_gamma,
    ln2_beta,
    mlp_in_weight,
    mlp_in_bias,
    mlp_value_weight,
    mlp_value_bias,
    mlp_norm_gamma,
    mlp_norm_beta,
    mlp_out_weight,
    mlp_out_bias,
    layer_scale_2,
    norm_gamma,
    norm_beta,
    probe,  // (1, D)
    pool_query_weight,
    pool_query_bias,
    pool_key_weight,
    pool_key_bias,
    pool_value_weight,
    pool_value_bias,
    pool_projection_weight,
    pool_projection_bias,
    pool_ln_gamma,
    pool_ln_beta,
    pool_in_weight,
    pool_in_bias,
    pool_out_weight,
    pool_out_bias,
    classifier_weight,
    classifier_bias,
    distillation_weight,
    distillation_bias,
    feature_weight,
    feature_bias,
    count
};

/// One element of a tensor. `block` is ℓ (0 for tensors outside the blocks), `head` is 0 for tensors without heads.
struct Cell {
    Quantity quantity = Quantity::image;
    int block = 0, head = 0;
    int row = 0, column = 0;

    bool operator==(const Cell&) const = default;
};

/// A rectangle of a tensor's elements; `last_row` and `last_column` are excluded.
struct Region {
    Quantity quantity = Quantity::image;
    int block = 0, head = 0;
    int first_row = 0, last_row = 0, first_column = 0, last_column = 0;

    int rows() const { return last_row - first_row; }
    int columns() const { return last_column - first_column; }
    int count() const { return rows() * columns(); }
    /// Its element at `index`, row by row, 0 … count − 1.
    Cell cell(int index) const;
    int index(const Cell& cell) const;
    bool contains(const Cell& cell) const;
    /// The intersection; none if it is empty.
    std::optional<Region> intersected(const Region& other) const;
    bool operator==(const Region&) const = default;
};

/// The role of a source in the number computed from it.
enum class Part { a, b, bias, own, all, mean, variance, gamma, beta };

struct Source {
    Part part = Part::a;
    Region region;
};

/// The rule that computes a number from its sources.
enum class Rule {
    given,        ///< an input or a learned parameter
    copy,         ///< a
    sum,          ///< a + b
    product,      ///< a · b
    turn,         ///< a₁ cos φ ± a₂ sin φ, with φ = b; the sign is `factor`
    product_sum,  ///< Σ a_j b_j · factor + bias
    softmax,      ///< e^own / Σ e^all
    mean,         ///< mean of a
    variance,     ///< mean of (a − mean)²
    normalise,    ///< gamma (a − mean) / √(variance + ε) + beta
    activation,   ///< the MLP's function of a
    sigmoid,      ///< 1 / (1 + e^−a)
};

/// A number, its sources, and its value recomputed from them.
struct Derivation {
    Cell cell;
    Rule rule = Rule::given;
    std::vector<Source> sources;
    std::vector<float> a, b;  // values of the parts a and b, in order
    double factor = 1.0;      // factor of a sum of products
    double result = 0.0;      // value by the rule
    float value = 0.0F;       // value in the run; differs from `result` if an intervention acts on this tensor
};

/// The parts of a run that provenance reads.
struct Record {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs;
};

/// A tensor's values as (rows, columns), row by row; `data` is null if the model has none.
struct CellMatrix {
    const float* data = nullptr;
    int rows = 0, columns = 0;
    std::shared_ptr<const void> owner = {};  // of the memory that `data` points into
};
CellMatrix matrix_of(const Record& record, Quantity quantity, int block, int head);

/// Sources of an element, from the table of the forward pass; none for an input or a parameter.
std::vector<Source> sources_of(const Record& record, const Cell& cell);

/// An element recomputed from its sources alone.
Derivation derive(const Record& record, const Cell& cell);

/// An element's value in the run, and whether the run has such an element.
float value_of(const Record& record, const Cell& cell);
bool exists(const Record& record, const Cell& cell);

/// A tensor's name in the dump: "block.3.q"; for a parameter "block.3.query.weight".
std::string name_of(Quantity quantity, int block);

std::string name_of(const Region& region);

/// The tensor with a name, and its block (0 outside the blocks); none if no tensor has the name.
struct NamedQuantity {
    Quantity quantity;
    int block = 0;
};
std::optional<NamedQuantity> quantity_named(const std::string& name);

/// The tensor's symbol in the typeset equations: "q", "zmid".
std::string_view symbol_of(Quantity quantity);
/// The tensor's letters in the paper: "z′", "W_O".
std::string_view letters_of(Quantity quantity);

/// The queries and keys whose products are a model's scores: the rotated or normalised ones, if the model has them.
Quantity queries_of(const Config& config);
Quantity keys_of(const Config& config);

/// Whether an element belongs to a pooling by attention, on which no what-if acts.
bool is_of_pooling(Quantity quantity);

/// Whether a tensor has a part for each head; whether it is one row.
bool has_heads(Quantity quantity);
bool is_vector(Quantity quantity);

/// The equations with which an element was computed.
Equations equations_of(const Record& record, const Cell& cell);

}  // namespace vitrine
