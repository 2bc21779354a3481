#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct Equations;
struct Intervention;
struct Model;
class Trace;

/// A tensor of a run or of the model whose single numbers can be pointed at.
enum class Quantity {
    image,            // (C·H, W), the channels below one another
    patch_embedding,  // (N_p, D)
    tokens,           // (N, D)
    position,         // (tokens with a position, D)  E_pos
    z,                // (N, D)        zℓ, ℓ = 0 … L
    ln1_mean,         // (1, N)
    ln1_var,          // (1, N)
    ln1,              // (N, D)
    q,
    k,
    v,               // (N, d)         of one head
    scores,          // (N, N)         of one head
    attention,       // (N, N)         of one head
    heads,           // (N, d)         of one head
    msa,             // (N, D)
    residual,        // (N, D)
    ln2_mean,        // (1, N)
    ln2_var,         // (1, N)
    ln2,             // (N, D)
    mlp_hidden,      // (N, M)
    mlp_activation,  // (N, M)
    mlp_out,         // (N, D)
    head_ln,         // (1, D)
    logits,          // (1, classes)
    probabilities,   // (1, classes)
    // The model's own numbers; weights as PyTorch stores them, (out, in), biases and the rest (1, n).
    patch_weight,
    patch_bias,
    class_token,
    distillation_token,
    register_tokens,  // (registers, D)
    ln1_gamma,
    ln1_beta,
    query_weight,
    query_bias,
    key_weight,
    key_bias,
    value_weight,
    value_bias,
    projection_weight,
    projection_bias,
    ln2_gamma,
    ln2_beta,
    mlp_in_weight,
    mlp_in_bias,
    mlp_out_weight,
    mlp_out_bias,
    norm_gamma,
    norm_beta,
    classifier_weight,
    classifier_bias,
    count
};

/// One number: a cell of a tensor. `block` is ℓ (0 where the tensor belongs to no block), `head` 0 where it has none.
struct Cell {
    Quantity quantity = Quantity::image;
    int block = 0, head = 0;
    int row = 0, column = 0;

    bool operator==(const Cell&) const = default;
};

/// A rectangle of a tensor's cells, the ends excluded.
struct Region {
    Quantity quantity = Quantity::image;
    int block = 0, head = 0;
    int first_row = 0, last_row = 0, first_column = 0, last_column = 0;

    int rows() const { return last_row - first_row; }
    int columns() const { return last_column - first_column; }
    int count() const { return rows() * columns(); }
    /// Its cells row by row, 0 … count − 1.
    Cell cell(int index) const;
    int index(const Cell& cell) const;
    bool contains(const Cell& cell) const;
    /// The cells of both; none where they share none.
    std::optional<Region> intersected(const Region& other) const;
    bool operator==(const Region&) const = default;
};

/// What a source is to the number that comes from it.
enum class Part { a, b, bias, own, all, mean, variance, gamma, beta };

struct Source {
    Part part = Part::a;
    Region region;
};

/// How a number comes from its sources.
enum class Rule {
    given,        ///< it is an input or was learned
    copy,         ///< a
    sum,          ///< a + b
    product_sum,  ///< Σ a_j b_j · factor + bias
    softmax,      ///< e^own / Σ e^all
    mean,         ///< mean of a
    variance,     ///< mean of (a − mean)²
    normalise,    ///< gamma (a − mean) / √(variance + ε) + beta
    activation,   ///< the MLP's function of a
};

/// A number, where it came from, and what its sources give.
struct Derivation {
    Cell cell;
    Rule rule = Rule::given;
    std::vector<Source> sources;
    std::vector<float> a, b;  // the numbers of those parts, in order
    double factor = 1.0;      // of a product sum
    double result = 0.0;      // of the rule
    float value = 0.0F;       // in the run; a what-if that acts on this very tensor makes it differ from the result
};

/// A run as provenance reads it.
struct Record {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs;
};

/// A tensor's numbers as (rows, columns), row by row; `data` is null where the model has none.
struct CellMatrix {
    const float* data = nullptr;
    int rows = 0, columns = 0;
    std::shared_ptr<const void> owner = {};  // the block that `data` points into
};
CellMatrix matrix_of(const Record& record, Quantity quantity, int block, int head);

/// The cells that a cell is computed from, straight from the table of the forward pass; none for what is given.
std::vector<Source> sources_of(const Record& record, const Cell& cell);

/// The cell computed anew from its sources alone.
Derivation derive(const Record& record, const Cell& cell);

float value_of(const Record& record, const Cell& cell);
bool exists(const Record& record, const Cell& cell);

/// What the field calls a tensor, as the dump does: "block.3.q"; for a learned tensor "block.3.query.weight".
std::string name_of(Quantity quantity, int block);

std::string name_of(const Region& region);

/// The tensor of such a name, and its block (0 where it belongs to none); none where no tensor is called so.
struct NamedQuantity {
    Quantity quantity;
    int block = 0;
};
std::optional<NamedQuantity> quantity_named(const std::string& name);

/// The symbol of the equations that stands for it: "q", "zmid".
std::string_view symbol_of(Quantity quantity);
/// The letters that the paper writes for it: "z′", "W_O".
std::string_view letters_of(Quantity quantity);

/// Whether a cell of it belongs to one head; whether it is one row.
bool has_heads(Quantity quantity);
bool is_vector(Quantity quantity);

/// The equations that a cell of a run was computed with.
Equations equations_of(const Record& record, const Cell& cell);

}  // namespace vitrine
