#include "core/text/text_embedding.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/tensor/rows.h"
#include "core/transformer/backward_layers.h"

namespace vitrine {

namespace {

float word_scale(const TextConfig& c) { return c.scaled ? std::sqrt(static_cast<float>(c.embedding_dim)) : 1.0F; }

Tensor2 position_rows(const WordEmbedding& w, int places, int first) {
    const int features = w.config.embedding_dim;
    if (w.config.positions == Positions::sines) return sine_positions(places, features, first);
    Tensor2 rows = tensor2(static_cast<std::size_t>(places), static_cast<std::size_t>(features));
    assert(w.config.positions == Positions::none || first + places <= w.config.longest);
    if (w.config.positions == Positions::none)
        std::fill_n(rows.data(), rows.size(), 0.0F);
    else
        std::copy_n(&w.position(static_cast<std::size_t>(first), 0), rows.size(), rows.data());
    return rows;
}

/// Calls f(row, place) for every word.
template <class F>
void for_words(const PackedSentences& words, F f) {
    std::size_t row = 0;
    for (const int length : words.lengths)
        for (std::size_t place = 0; place < static_cast<std::size_t>(length); ++place) f(row++, place);
}

Tensor2 scaled_rows(const Tensor2& x, float factor) {
    Tensor2 out = tensor2(x.shape()[0], x.shape()[1]);
    row_kernels().scale(x.data(), out.data(), x.size(), factor);
    return out;
}

}  // namespace

Tensor2 sine_positions(int places, int features, int first) {
    const auto rows = static_cast<std::size_t>(places), columns = static_cast<std::size_t>(features);
    Tensor2 out = tensor2(rows, columns);
    for (std::size_t i = 0; i < columns; ++i) {
        const double even = static_cast<double>(i / 2 * 2);
        const double wave = std::pow(10000.0, -even / static_cast<double>(columns));
        for (std::size_t p = 0; p < rows; ++p) {
            const double angle = static_cast<double>(static_cast<int>(p) + first) * wave;
            out(p, i) = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return out;
}

TextEmbeddingTrace embed_words(const WordEmbedding& w, const PackedSentences& words, const Editor& edit, int first) {
    const auto features = static_cast<std::size_t>(w.config.embedding_dim);
    TextEmbeddingTrace t;
    t.embedded = tensor2(words.ids.size(), features);
    for (std::size_t row = 0; row < words.ids.size(); ++row)
        std::copy_n(&w.words(static_cast<std::size_t>(words.ids[row]), 0), features, &t.embedded(row, 0));
    edit(Site::embedded, 0, t.embedded);
    t.tokens = scaled_rows(t.embedded, word_scale(w.config));
    if (w.config.scaled) edit(Site::tokens, 0, t.tokens);
    t.position = position_rows(w, words.longest, first);
    edit(Site::position, 0, t.position);
    t.z = tensor2(words.ids.size(), features);
    const auto add_rows = row_kernels().add;
    for_words(words, [&](std::size_t row, std::size_t place) {
        add_rows(&t.tokens(row, 0), &t.position(place, 0), &t.z(row, 0), features);
    });
    return t;
}

void embed_words_back(const WordEmbeddingBack& b, const PackedSentences& words, const Editor& edit,
                      TextEmbeddingTrace& g) {
    const TextConfig& c = b.into.config;
    const std::size_t features = columns_of(g.z);
    const auto add_row = row_kernels().add_to;

    g.position = tensor2(static_cast<std::size_t>(words.longest), features);
    std::fill_n(g.position.data(), g.position.size(), 0.0F);
    for_words(words,
              [&](std::size_t row, std::size_t place) { add_row(&g.position(place, 0), &g.z(row, 0), features); });
    edit.adjoint(Site::position, 0, g.position);
    if (!b.into.position.empty()) add_row(b.gradients.at(b.into.position), g.position.data(), g.position.size());

    g.tokens = g.z;
    if (c.scaled) edit.adjoint(Site::tokens, 0, g.tokens);
    g.embedded = scaled_rows(g.tokens, word_scale(c));
    edit.adjoint(Site::embedded, 0, g.embedded);
    float* const into = b.gradients.at(b.into.words);
    for (std::size_t row = 0; row < words.ids.size(); ++row)
        add_row(into + static_cast<std::size_t>(words.ids[row]) * features, &g.embedded(row, 0), features);
}

}  // namespace vitrine
