#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

#include "core/vit/model.h"
#include "core/vit/provenance.h"
#include "core/vit/trace.h"

namespace vitrine {

namespace {

using Q = Quantity;

struct Row {
    Quantity quantity;
    const char* name;     // "ℓ" is replaced by the block
    const char* symbol;   // in the equations
    const char* letters;  // as in the paper, with the markup used on screen
};

constexpr std::array<Row, static_cast<std::size_t>(Q::count)> rows = {{
    {Q::image, "image", "x", "x"},
    {Q::patch_embedding, "patch_embedding", "patch", "xₚE"},
    {Q::tokens, "tokens", "z", "x"},
    {Q::position, "position", "pos", "Eₚₒₛ"},
    {Q::rotation, "rotation", "angle", "φ"},
    {Q::placed, "placed", "z", "x + Eₚₒₛ"},
    {Q::z, "z.ℓ", "zout", "z"},
    {Q::ln1_mean, "block.ℓ.ln1.mean", "mu", "μ"},
    {Q::ln1_var, "block.ℓ.ln1.var", "sigma", "σ²"},
    {Q::ln1, "block.ℓ.ln1.out", "ln", "LN(z)"},
    {Q::q, "block.ℓ.q", "q", "q"},
    {Q::k, "block.ℓ.k", "k", "k"},
    {Q::v, "block.ℓ.v", "v", "v"},
    {Q::q_normed, "block.ℓ.q.normed", "q", "LN(q)"},
    {Q::k_normed, "block.ℓ.k.normed", "k", "LN(k)"},
    {Q::q_turned, "block.ℓ.q.turned", "q", "R q"},
    {Q::k_turned, "block.ℓ.k.turned", "k", "R k"},
    {Q::scores, "block.ℓ.scores", "scores", "s"},
    {Q::attention, "block.ℓ.attention", "attention", "A"},
    {Q::heads, "block.ℓ.heads", "heads", "head"},
    {Q::msa, "block.ℓ.msa", "msa", "MSA"},
    {Q::msa_scaled, "block.ℓ.msa.scaled", "msa", "γ₁ ⊙ MSA"},
    {Q::residual, "block.ℓ.residual", "zmid", "z′"},
    {Q::ln2_mean, "block.ℓ.ln2.mean", "mu", "μ"},
    {Q::ln2_var, "block.ℓ.ln2.var", "sigma", "σ²"},
    {Q::ln2, "block.ℓ.ln2.out", "ln", "LN(z′)"},
    {Q::mlp_hidden, "block.ℓ.mlp.hidden", "hidden", "u"},
    {Q::mlp_activation, "block.ℓ.mlp.activation", "activation", "act(u)"},
    {Q::mlp_value, "block.ℓ.mlp.value", "value", "x W{sub|x}"},
    {Q::mlp_gated, "block.ℓ.mlp.gated", "activation", "act(u) ⊙ x W{sub|x}"},
    {Q::mlp_norm, "block.ℓ.mlp.norm.out", "ln", "LN"},
    {Q::mlp_out, "block.ℓ.mlp.out", "mlp", "MLP"},
    {Q::mlp_scaled, "block.ℓ.mlp.scaled", "mlp", "γ₂ ⊙ MLP"},
    {Q::head_tokens, "head.tokens", "y", "LN(z)"},
    {Q::pool_q, "head.pool.q", "q", "q"},
    {Q::pool_k, "head.pool.k", "k", "k"},
    {Q::pool_v, "head.pool.v", "v", "v"},
    {Q::pool_scores, "head.pool.scores", "scores", "s"},
    {Q::pool_attention, "head.pool.attention", "attention", "A"},
    {Q::pool_heads, "head.pool.heads", "heads", "head"},
    {Q::pool_msa, "head.pool.msa", "msa", "m"},
    {Q::pool_ln, "head.pool.ln.out", "ln", "LN(m)"},
    {Q::pool_hidden, "head.pool.mlp.hidden", "hidden", "u"},
    {Q::pool_activation, "head.pool.mlp.activation", "activation", "act(u)"},
    {Q::pool_mlp, "head.pool.mlp.out", "mlp", "MLP"},
    {Q::head_ln, "head.ln", "y", "y"},
    {Q::head_each, "head.each", "logits", "logit"},
    {Q::features, "head.features", "y", "f"},
    {Q::logits, "head.logits", "logits", "logit"},
    {Q::probabilities, "head.probabilities", "p", "p"},
    {Q::patch_weight, "patch_embedding.weight", "E", "E"},
    {Q::patch_bias, "patch_embedding.bias", "bias", "b"},
    {Q::class_token, "class_token", "class", "x{sub|class}"},
    {Q::distillation_token, "distillation_token", "class", "x{sub|dist}"},
    {Q::register_tokens, "register_tokens", "class", "x{sub|reg}"},
    {Q::embedding_norm_gamma, "embedding_norm.gamma", "gamma", "γ"},
    {Q::embedding_norm_beta, "embedding_norm.beta", "beta", "β"},
    {Q::ln1_gamma, "block.ℓ.ln1.gamma", "gamma", "γ"},
    {Q::ln1_beta, "block.ℓ.ln1.beta", "beta", "β"},
    {Q::query_weight, "block.ℓ.query.weight", "WQ", "W{sub|Q}"},
    {Q::query_bias, "block.ℓ.query.bias", "WQ", "b"},
    {Q::key_weight, "block.ℓ.key.weight", "WK", "W{sub|K}"},
    {Q::key_bias, "block.ℓ.key.bias", "WK", "b"},
    {Q::value_weight, "block.ℓ.value.weight", "WV", "W{sub|V}"},
    {Q::value_bias, "block.ℓ.value.bias", "WV", "b"},
    {Q::query_norm_gamma, "block.ℓ.query_norm.gamma", "gamma", "γ"},
    {Q::query_norm_beta, "block.ℓ.query_norm.beta", "beta", "β"},
    {Q::key_norm_gamma, "block.ℓ.key_norm.gamma", "gamma", "γ"},
    {Q::key_norm_beta, "block.ℓ.key_norm.beta", "beta", "β"},
    {Q::position_bias, "block.ℓ.position_bias", "pos", "B"},
    {Q::projection_weight, "block.ℓ.projection.weight", "WO", "W{sub|O}"},
    {Q::projection_bias, "block.ℓ.projection.bias", "WO", "b"},
    {Q::layer_scale_1, "block.ℓ.layer_scale_1", "gain", "γ₁"},
    {Q::ln2_gamma, "block.ℓ.ln2.gamma", "gamma", "γ"},
    {Q::ln2_beta, "block.ℓ.ln2.beta", "beta", "β"},
    {Q::mlp_in_weight, "block.ℓ.mlp_in.weight", "W1", "W₁"},
    {Q::mlp_in_bias, "block.ℓ.mlp_in.bias", "W1", "b₁"},
    {Q::mlp_value_weight, "block.ℓ.mlp_value.weight", "Wx", "W{sub|x}"},
    {Q::mlp_value_bias, "block.ℓ.mlp_value.bias", "Wx", "b{sub|x}"},
    {Q::mlp_norm_gamma, "block.ℓ.mlp_norm.gamma", "gamma", "γ"},
    {Q::mlp_norm_beta, "block.ℓ.mlp_norm.beta", "beta", "β"},
    {Q::mlp_out_weight, "block.ℓ.mlp_out.weight", "W2", "W₂"},
    {Q::mlp_out_bias, "block.ℓ.mlp_out.bias", "W2", "b₂"},
    {Q::layer_scale_2, "block.ℓ.layer_scale_2", "gain", "γ₂"},
    {Q::norm_gamma, "norm.gamma", "gamma", "γ"},
    {Q::norm_beta, "norm.beta", "beta", "β"},
    {Q::probe, "pooling.probe", "q", "x{sub|probe}"},
    {Q::pool_query_weight, "pooling.query.weight", "WQ", "W{sub|Q}"},
    {Q::pool_query_bias, "pooling.query.bias", "WQ", "b"},
    {Q::pool_key_weight, "pooling.key.weight", "WK", "W{sub|K}"},
    {Q::pool_key_bias, "pooling.key.bias", "WK", "b"},
    {Q::pool_value_weight, "pooling.value.weight", "WV", "W{sub|V}"},
    {Q::pool_value_bias, "pooling.value.bias", "WV", "b"},
    {Q::pool_projection_weight, "pooling.projection.weight", "WO", "W{sub|O}"},
    {Q::pool_projection_bias, "pooling.projection.bias", "WO", "b"},
    {Q::pool_ln_gamma, "pooling.ln.gamma", "gamma", "γ"},
    {Q::pool_ln_beta, "pooling.ln.beta", "beta", "β"},
    {Q::pool_in_weight, "pooling.mlp_in.weight", "W1", "W₁"},
    {Q::pool_in_bias, "pooling.mlp_in.bias", "W1", "b₁"},
    {Q::pool_out_weight, "pooling.mlp_out.weight", "W2", "W₂"},
    {Q::pool_out_bias, "pooling.mlp_out.bias", "W2", "b₂"},
    {Q::classifier_weight, "classifier.weight", "logits", "W{sup|y}"},
    {Q::classifier_bias, "classifier.bias", "logits", "b"},
    {Q::distillation_weight, "distillation_classifier.weight", "logits", "W{sub|dist}"},
    {Q::distillation_bias, "distillation_classifier.bias", "logits", "b"},
    {Q::feature_weight, "feature_projection.weight", "y", "W"},
    {Q::feature_bias, "feature_projection.bias", "y", "b"},
}};

const Row& row_of(Quantity quantity) {
    const Row& row = rows[static_cast<std::size_t>(quantity)];
    assert(row.quantity == quantity);
    return row;
}

CellMatrix matrix(const Parameter& p) {
    if (p.empty()) return {};
    const auto& s = p.shape();
    if (s.size() == 1) return {p.data(), 1, static_cast<int>(s[0])};
    const Parameter stored = p.stored();
    return {stored.data(), static_cast<int>(s[0]), static_cast<int>(p.size() / s[0]), stored.owner()};
}
CellMatrix matrix(const Tensor1& t) { return {t.data(), 1, static_cast<int>(t.size())}; }
CellMatrix matrix(const Tensor2& t) {
    return {t.data(), static_cast<int>(t.shape()[0]), static_cast<int>(t.shape()[1])};
}
CellMatrix matrix_or_none(const Tensor2& t) { return t.size() == 0 ? CellMatrix{} : matrix(t); }
CellMatrix matrix(const Tensor3& t, int head) {
    const auto r = t.shape()[1], c = t.shape()[2];
    return {t.data() + static_cast<std::size_t>(head) * r * c, static_cast<int>(r), static_cast<int>(c)};
}

CellMatrix matrix_or_none(const Tensor3& t, int head) { return t.size() == 0 ? CellMatrix{} : matrix(t, head); }

/// The learned vectors of a kind of token, one row each.
CellMatrix vectors_of(const Model& model, TokenKind kind) {
    const std::optional<int> first = model.config.first_of(kind);
    if (!first) return {};
    return {&model.weights.leading(static_cast<std::size_t>(*first), 0), model.config.count_of(kind),
            model.config.embedding_dim};
}

CellMatrix matrix_in(const BlockTrace& t, const BlockWeights& w, Quantity quantity, int head) {
    switch (quantity) {
        case Q::ln1_mean: return matrix(t.ln1.mean);
        case Q::ln1_var: return matrix(t.ln1.var);
        case Q::ln1: return matrix(t.ln1.out);
        case Q::q: return matrix(t.q, head);
        case Q::k: return matrix(t.k, head);
        case Q::v: return matrix(t.v, head);
        case Q::q_normed: return matrix_or_none(t.normed_q, head);
        case Q::k_normed: return matrix_or_none(t.normed_k, head);
        case Q::q_turned: return matrix_or_none(t.turned_q, head);
        case Q::k_turned: return matrix_or_none(t.turned_k, head);
        case Q::scores: return matrix(t.scores, head);
        case Q::attention: return matrix(t.attention, head);
        case Q::heads: return matrix(t.heads, head);
        case Q::msa: return matrix(t.msa);
        case Q::msa_scaled: return matrix_or_none(t.scaled_msa);
        case Q::residual: return matrix(t.residual);
        case Q::ln2_mean: return matrix(t.ln2.mean);
        case Q::ln2_var: return matrix(t.ln2.var);
        case Q::ln2: return matrix(t.ln2.out);
        case Q::mlp_hidden: return matrix(t.mlp.hidden);
        case Q::mlp_activation: return matrix(t.mlp.activation);
        case Q::mlp_value: return matrix_or_none(t.mlp.value);
        case Q::mlp_gated: return matrix_or_none(t.mlp.gated);
        case Q::mlp_norm: return matrix_or_none(t.mlp.norm.out);
        case Q::mlp_out: return matrix(t.mlp.out);
        case Q::mlp_scaled: return matrix_or_none(t.scaled_mlp);
        case Q::ln1_gamma: return matrix(w.ln1.gamma);
        case Q::ln1_beta: return matrix(w.ln1.beta);
        case Q::query_weight: return matrix(w.query.weight);
        case Q::query_bias: return matrix(w.query.bias);
        case Q::key_weight: return matrix(w.key.weight);
        case Q::key_bias: return matrix(w.key.bias);
        case Q::value_weight: return matrix(w.value.weight);
        case Q::value_bias: return matrix(w.value.bias);
        case Q::query_norm_gamma: return matrix(w.query_norm.gamma);
        case Q::query_norm_beta: return matrix(w.query_norm.beta);
        case Q::key_norm_gamma: return matrix(w.key_norm.gamma);
        case Q::key_norm_beta: return matrix(w.key_norm.beta);
        case Q::position_bias: return matrix(w.position_bias);
        case Q::projection_weight: return matrix(w.projection.weight);
        case Q::projection_bias: return matrix(w.projection.bias);
        case Q::layer_scale_1: return matrix(w.layer_scale_1);
        case Q::ln2_gamma: return matrix(w.ln2.gamma);
        case Q::ln2_beta: return matrix(w.ln2.beta);
        case Q::mlp_in_weight: return matrix(w.mlp_in.weight);
        case Q::mlp_in_bias: return matrix(w.mlp_in.bias);
        case Q::mlp_value_weight: return matrix(w.mlp_value.weight);
        case Q::mlp_value_bias: return matrix(w.mlp_value.bias);
        case Q::mlp_norm_gamma: return matrix(w.mlp_norm.gamma);
        case Q::mlp_norm_beta: return matrix(w.mlp_norm.beta);
        case Q::mlp_out_weight: return matrix(w.mlp_out.weight);
        case Q::mlp_out_bias: return matrix(w.mlp_out.bias);
        case Q::layer_scale_2: return matrix(w.layer_scale_2);
        default: return {};
    }
}

CellMatrix matrix_of_pooling(const PoolingTrace& t, const PoolingWeights& w, Quantity quantity, int head) {
    switch (quantity) {
        case Q::pool_q: return matrix_or_none(t.q, head);
        case Q::pool_k: return matrix_or_none(t.k, head);
        case Q::pool_v: return matrix_or_none(t.v, head);
        case Q::pool_scores: return matrix_or_none(t.scores, head);
        case Q::pool_attention: return matrix_or_none(t.attention, head);
        case Q::pool_heads: return matrix_or_none(t.heads, head);
        case Q::pool_msa: return matrix_or_none(t.msa);
        case Q::pool_ln: return matrix_or_none(t.ln.out);
        case Q::pool_hidden: return matrix_or_none(t.mlp.hidden);
        case Q::pool_activation: return matrix_or_none(t.mlp.activation);
        case Q::pool_mlp: return matrix_or_none(t.mlp.out);
        case Q::probe: return matrix(w.probe);
        case Q::pool_query_weight: return matrix(w.query.weight);
        case Q::pool_query_bias: return matrix(w.query.bias);
        case Q::pool_key_weight: return matrix(w.key.weight);
        case Q::pool_key_bias: return matrix(w.key.bias);
        case Q::pool_value_weight: return matrix(w.value.weight);
        case Q::pool_value_bias: return matrix(w.value.bias);
        case Q::pool_projection_weight: return matrix(w.projection.weight);
        case Q::pool_projection_bias: return matrix(w.projection.bias);
        case Q::pool_ln_gamma: return matrix(w.ln.gamma);
        case Q::pool_ln_beta: return matrix(w.ln.beta);
        case Q::pool_in_weight: return matrix(w.mlp_in.weight);
        case Q::pool_in_bias: return matrix(w.mlp_in.bias);
        case Q::pool_out_weight: return matrix(w.mlp_out.weight);
        case Q::pool_out_bias: return matrix(w.mlp_out.bias);
        default: return {};
    }
}

CellMatrix matrix_of_block(const Record& record, Quantity quantity, int block, int head) {
    const auto t = record.trace.block(block);
    CellMatrix m = matrix_in(*t, record.model.weights.blocks[static_cast<std::size_t>(block - 1)], quantity, head);
    if (m.owner == nullptr) m.owner = t;
    return m;
}

}  // namespace

Cell Region::cell(int i) const {
    return {quantity, block, head, first_row + i / columns(), first_column + i % columns()};
}

int Region::index(const Cell& c) const { return (c.row - first_row) * columns() + c.column - first_column; }

std::optional<Region> Region::intersected(const Region& other) const {
    if (quantity != other.quantity || block != other.block || head != other.head) return std::nullopt;
    Region r = *this;
    r.first_row = std::max(first_row, other.first_row);
    r.last_row = std::min(last_row, other.last_row);
    r.first_column = std::max(first_column, other.first_column);
    r.last_column = std::min(last_column, other.last_column);
    return r.rows() > 0 && r.columns() > 0 ? std::optional(r) : std::nullopt;
}

bool Region::contains(const Cell& c) const {
    return c.quantity == quantity && c.block == block && c.head == head && c.row >= first_row && c.row < last_row &&
           c.column >= first_column && c.column < last_column;
}

CellMatrix matrix_of(const Record& record, Quantity quantity, int block, int head) {
    const Trace& t = record.trace;
    const Weights& w = record.model.weights;
    switch (quantity) {
        case Q::image: {
            const auto& s = t.embedding->pixels().shape();
            return {t.embedding->pixels().data(), static_cast<int>(s[0] * s[1]), static_cast<int>(s[2])};
        }
        case Q::patch_embedding: return matrix(t.embedding->patch_embedding);
        case Q::tokens: return matrix(t.embedding->tokens);
        case Q::position: return matrix(w.position);
        case Q::rotation: return matrix_or_none(t.embedding->rotation);
        case Q::placed: return matrix_or_none(t.embedding->placed);
        case Q::z: return matrix(t.z(block));
        case Q::head_tokens: return matrix_or_none(t.head->tokens);
        case Q::head_ln: return matrix(t.head->ln);
        case Q::head_each: return matrix_or_none(t.head->each);
        case Q::features: return matrix_or_none(t.head->features);
        case Q::logits: return matrix(t.head->logits);
        case Q::probabilities: return matrix(t.head->probabilities);
        case Q::patch_weight: return matrix(w.patch_embedding.weight);
        case Q::patch_bias: return matrix(w.patch_embedding.bias);
        case Q::class_token: return vectors_of(record.model, TokenKind::class_token);
        case Q::distillation_token: return vectors_of(record.model, TokenKind::distillation);
        case Q::register_tokens: return vectors_of(record.model, TokenKind::register_token);
        case Q::embedding_norm_gamma: return matrix(w.embedding_norm.gamma);
        case Q::embedding_norm_beta: return matrix(w.embedding_norm.beta);
        case Q::norm_gamma: return matrix(w.norm.gamma);
        case Q::norm_beta: return matrix(w.norm.beta);
        case Q::classifier_weight: return matrix(w.classifier.weight);
        case Q::classifier_bias: return matrix(w.classifier.bias);
        case Q::distillation_weight: return matrix(w.distillation_classifier.weight);
        case Q::distillation_bias: return matrix(w.distillation_classifier.bias);
        case Q::feature_weight: return matrix(w.feature_projection.weight);
        case Q::feature_bias: return matrix(w.feature_projection.bias);
        default:
            return is_of_pooling(quantity) ? matrix_of_pooling(t.head->pooling, w.pooling, quantity, head)
                                           : matrix_of_block(record, quantity, block, head);
    }
}

float value_of(const Record& record, const Cell& c) {
    const CellMatrix m = matrix_of(record, c.quantity, c.block, c.head);
    return m.data[static_cast<std::size_t>(c.row) * static_cast<std::size_t>(m.columns) +
                  static_cast<std::size_t>(c.column)];
}

bool exists(const Record& record, const Cell& c) {
    const int blocks = record.model.config.blocks;
    const bool own_block = std::string_view(row_of(c.quantity).name).find("ℓ") != std::string_view::npos;
    const int least = c.quantity == Q::z ? 0 : 1;
    if (own_block ? c.block < least || c.block > blocks : c.block != 0) return false;
    if (c.head < 0 || c.head >= record.model.config.heads) return false;
    const CellMatrix m = matrix_of(record, c.quantity, c.block, c.head);
    return m.data != nullptr && c.row >= 0 && c.row < m.rows && c.column >= 0 && c.column < m.columns;
}

std::string name_of(Quantity quantity, int block) {
    std::string name = row_of(quantity).name;
    constexpr std::string_view letter = "ℓ";
    if (const std::size_t at = name.find(letter); at != std::string::npos)
        name.replace(at, letter.size(), std::to_string(block));
    return name;
}

std::optional<NamedQuantity> quantity_named(const std::string& name) {
    const std::size_t digit = name.find_first_of("0123456789", name.find('.') + 1);
    const bool numbered = digit != std::string::npos && digit > 0 && name[digit - 1] == '.';
    int block = 0;
    if (numbered) std::from_chars(name.data() + digit, name.data() + name.size(), block);
    for (const Row& row : rows)
        if (name_of(row.quantity, block) == name)
            return NamedQuantity{row.quantity,
                                 std::string_view(row.name).find("ℓ") == std::string_view::npos ? 0 : block};
    return std::nullopt;
}

std::string_view symbol_of(Quantity quantity) { return row_of(quantity).symbol; }

std::string name_of(const Region& region) { return name_of(region.quantity, region.block); }

std::string_view letters_of(Quantity quantity) { return row_of(quantity).letters; }

bool is_of_pooling(Quantity quantity) {
    return (quantity >= Q::pool_q && quantity <= Q::pool_mlp) || (quantity >= Q::probe && quantity <= Q::pool_out_bias);
}

bool has_heads(Quantity quantity) {
    return (quantity >= Q::q && quantity <= Q::heads) || (quantity >= Q::pool_q && quantity <= Q::pool_heads);
}

bool is_vector(Quantity quantity) {
    switch (quantity) {
        case Q::ln1_mean:
        case Q::ln1_var:
        case Q::ln2_mean:
        case Q::ln2_var:
        case Q::pool_q:
        case Q::pool_scores:
        case Q::pool_attention:
        case Q::pool_heads:
        case Q::pool_msa:
        case Q::pool_ln:
        case Q::pool_hidden:
        case Q::pool_activation:
        case Q::pool_mlp:
        case Q::head_ln:
        case Q::features:
        case Q::logits:
        case Q::probabilities:
        case Q::patch_bias:
        case Q::class_token:
        case Q::distillation_token:
        case Q::embedding_norm_gamma:
        case Q::embedding_norm_beta:
        case Q::ln1_gamma:
        case Q::ln1_beta:
        case Q::query_bias:
        case Q::key_bias:
        case Q::value_bias:
        case Q::query_norm_gamma:
        case Q::query_norm_beta:
        case Q::key_norm_gamma:
        case Q::key_norm_beta:
        case Q::projection_bias:
        case Q::layer_scale_1:
        case Q::ln2_gamma:
        case Q::ln2_beta:
        case Q::mlp_in_bias:
        case Q::mlp_value_bias:
        case Q::mlp_norm_gamma:
        case Q::mlp_norm_beta:
        case Q::mlp_out_bias:
        case Q::layer_scale_2:
        case Q::norm_gamma:
        case Q::norm_beta:
        case Q::probe:
        case Q::pool_query_bias:
        case Q::pool_key_bias:
        case Q::pool_value_bias:
        case Q::pool_projection_bias:
        case Q::pool_ln_gamma:
        case Q::pool_ln_beta:
        case Q::pool_in_bias:
        case Q::pool_out_bias:
        case Q::classifier_bias:
        case Q::distillation_bias:
        case Q::feature_bias: return true;
        default: return false;
    }
}

}  // namespace vitrine
