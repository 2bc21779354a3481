#include "core/transformer/attention_places.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/transformer/backward_layers.h"
#include "core/transformer/token_rows.h"

namespace vitrine {

namespace {

/// Stacks the rows of all heads into one matrix, and back.      (m, n, d) <-> (m·n, d)
Tensor2 as_rows(const Tensor3& x) {
    Tensor2 rows = tensor2(x.shape()[0] * x.shape()[1], x.shape()[2]);
    std::copy_n(x.data(), x.size(), rows.data());
    return rows;
}
Tensor3 as_heads(const Tensor2& rows, const Tensor3& like) {
    Tensor3 x = Tensor3::from_shape(like.shape());
    std::copy_n(rows.data(), rows.size(), x.data());
    return x;
}

enum class Turn { forth = 1, back = -1 };

/// Rotates each pair of features by its angle. Row i of every matrix has the angles of token `first` + i.
Tensor3 turned_by(const Layer& layer, const Tensor3& x, Turn turn, int first = 0) {
    const std::size_t matrices = x.shape()[0], rows = x.shape()[1], d = x.shape()[2], pairs = d / 2;
    const Tensor2& angles = *layer.places->angles;
    std::vector<float> cosines(rows * pairs), sines(rows * pairs);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < pairs; ++i) {
            const auto angle = static_cast<double>(angles(r + static_cast<std::size_t>(first), i));
            cosines[r * pairs + i] = static_cast<float>(std::cos(angle));
            sines[r * pairs + i] = static_cast<float>(std::sin(angle)) * static_cast<float>(turn);
        }
    const bool neighbours = layer.config.rotary.neighbours;
    const std::size_t step = neighbours ? 2 : 1, apart = neighbours ? 1 : pairs;
    Tensor3 out = Tensor3::from_shape(x.shape());
    for (std::size_t m = 0; m < matrices; ++m)
        for (std::size_t r = 0; r < rows; ++r) {
            const float* const from = &x(m, r, 0);
            float* const to = &out(m, r, 0);
            for (std::size_t i = 0; i < pairs; ++i) {
                const std::size_t a = i * step, b = a + apart;
                const float c = cosines[r * pairs + i], s = sines[r * pairs + i];
                to[a] = from[a] * c - from[b] * s;
                to[b] = from[b] * c + from[a] * s;
            }
        }
    return out;
}

Tensor3 normed_heads(const Layer& layer, const LayerNormWeights& w, const Tensor3& x) {
    return as_heads(layer_norm(w, as_rows(x), layer.config.layer_norm_epsilon).out, x);
}

Tensor3 normed_heads_back(const Layer& layer, const Learned<LayerNormWeights>& learned, const Tensor3& x,
                          const Tensor3& dy) {
    const Tensor2 rows = as_rows(x);
    const LayerNormTrace statistics = row_statistics(rows);
    return as_heads(norm_back({learned.weights, learned.into, statistics, rows, layer.config.layer_norm_epsilon},
                              learned.gradients, as_rows(dy)),
                    x);
}

bool turns(const Layer& layer) { return layer.places != nullptr && layer.places->angles != nullptr; }

/// Calls f(index of the score, index in the table of position biases) for every score.
template <class F>
void for_pairs(const TokenPlaces& places, const Parameter& table, Tensor3::shape_type shape, F f) {
    const std::size_t heads = table.shape()[1], size = shape[1] * shape[2];
    for (std::size_t m = 0; m < shape[0]; ++m)
        for (std::size_t i = 0; i < size; ++i)
            f(m * size + i, static_cast<std::size_t>(places.bias_rows[i]) * heads + m % heads);
}

}  // namespace

TurnedPair turned_pair(const Rotary& rotary, int head_dim, int feature) {
    const int pairs = head_dim / 2;
    if (rotary.neighbours) {
        const bool first = feature % 2 == 0;
        return {feature, first ? feature + 1 : feature - 1, feature / 2, first ? -1.0F : 1.0F};
    }
    const bool first = feature < pairs;
    return {feature, first ? feature + pairs : feature - pairs, feature % pairs, first ? -1.0F : 1.0F};
}

void place_queries_and_keys(const Layer& layer, const AttentionWeights& w, AttentionTrace& t) {
    if (layer.config.qk_norm) {
        t.normed_q = normed_heads(layer, w.query_norm, t.q);
        t.normed_k = normed_heads(layer, w.key_norm, t.k);
    }
    if (!turns(layer)) return;
    t.turned_q = turned_by(layer, t.queries(), Turn::forth);
    t.turned_k = turned_by(layer, t.keys(), Turn::forth);
}

void add_position_bias(const Layer& layer, const AttentionWeights& w, Tensor3& scores) {
    if (w.position_bias.empty()) return;
    for_pairs(*layer.places, w.position_bias, scores.shape(),
              [&](std::size_t score, std::size_t entry) { scores.data()[score] += w.position_bias(entry); });
}

void place_back(const PlacesBack& p, Tensor3& d_q, Tensor3& d_k, AttentionTrace& g) {
    const auto& [w, into, gradients] = p.learned;
    if (turns(p.layer)) {
        g.turned_q = std::move(d_q);
        g.turned_k = std::move(d_k);
        d_q = turned_by(p.layer, g.turned_q, Turn::back, p.read.value_or(0));
        d_k = turned_by(p.layer, g.turned_k, Turn::back);
    }
    if (!p.layer.config.qk_norm) return;
    g.normed_q = std::move(d_q);
    g.normed_k = std::move(d_k);
    const Tensor3 q = p.read ? token_row(p.trace.q, *p.read) : p.trace.q;
    d_q = normed_heads_back(p.layer, {w.query_norm, into.query_norm, gradients}, q, g.normed_q);
    d_k = normed_heads_back(p.layer, {w.key_norm, into.key_norm, gradients}, p.trace.k, g.normed_k);
}

void position_bias_back(const Layer& layer, const Learned<AttentionWeights>& learned, const Tensor3& d_scores) {
    const auto& [w, into, gradients] = learned;
    if (w.position_bias.empty() || into.position_bias.empty()) return;
    float* const sums = gradients.at(into.position_bias);
    std::fill_n(sums, into.position_bias.size(), 0.0F);
    for_pairs(*layer.places, w.position_bias, d_scores.shape(),
              [&](std::size_t score, std::size_t entry) { sums[entry] += d_scores.data()[score]; });
}

}  // namespace vitrine
