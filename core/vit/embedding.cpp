#include "core/vit/embedding.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/team.h"
#include "core/tensor/ops.h"
#include "core/transformer/backward_layers.h"
#include "core/vit/patch_covers.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

/// [x_class; …; x_p¹E; …] for each image; the patches alone if nothing leads them.      (B·N_p, D)  ->  (B·N, D)
Tensor2 prepend(const Parameter& leading, const Tensor2& patches, Batch batch) {
    if (leading.empty()) return patches;
    const auto n = static_cast<std::size_t>(batch.tokens), images = static_cast<std::size_t>(batch.sequences);
    const std::size_t features = patches.shape()[1], patch_values = patches.size() / images;
    Tensor2 tokens = tensor2(images * n, features);
    for (std::size_t b = 0; b < images; ++b) {
        float* const out = std::copy_n(leading.data(), leading.size(), tokens.data() + b * n * features);
        std::copy_n(patches.data() + b * patch_values, patch_values, out);
    }
    return tokens;
}

/// The position added to each token: its row of E_pos, or 0.      ->  (N, D)
Tensor2 position_of_tokens(const Config& c, const Parameter& positions) {
    const auto n = static_cast<std::size_t>(c.tokens()), features = static_cast<std::size_t>(c.embedding_dim);
    Tensor2 rows = tensor2(n, features);
    for (int token = 0; token < c.tokens(); ++token) {
        float* const row = rows.data() + static_cast<std::size_t>(token) * features;
        if (const std::optional<int> own = c.position_row(token))
            std::copy_n(positions.data() + static_cast<std::size_t>(*own) * features, features, row);
        else
            std::fill_n(row, features, 0.0F);
    }
    return rows;
}

/// Adds the same E_pos to every image.      (B·N, D) + (N, D)
Tensor2 add_positions(const Tensor2& tokens, const Tensor2& positions) {
    Tensor2 z = tensor2(tokens.shape()[0], tokens.shape()[1]);
    for (std::size_t i = 0; i < z.size(); ++i) z.data()[i] = tokens.data()[i] + positions.data()[i % positions.size()];
    return z;
}

}  // namespace

Tensor2 patches_as_rows(const Tensor3& image, int channels, int patch_size) {
    const auto c_count = static_cast<std::size_t>(channels), p = static_cast<std::size_t>(patch_size);
    const std::size_t images = image.shape()[0] / c_count, height = image.shape()[1], width = image.shape()[2];
    const std::size_t grid_height = height / p, grid_width = width / p, features = c_count * p * p;
    const std::size_t patches = grid_height * grid_width;
    Tensor2 rows = tensor2(images * patches, features);
    constexpr double microseconds_a_number = 2e-4;
    const double all = static_cast<double>(images * patches * features);
    parallel_for(images * patches, threads_for(all * microseconds_a_number), [&](std::size_t r) {
        const std::size_t b = r / patches, top = r % patches / grid_width * p, left = r % grid_width * p;
        float* out = rows.data() + r * features;
        for (std::size_t c = 0; c < c_count; ++c)
            for (std::size_t y = 0; y < p; ++y, out += p) std::copy_n(&image(b * c_count + c, top + y, left), p, out);
    });
    return rows;
}

EmbeddingTrace embed(const Model& model, Tensor3 image, const Editor& edit) {
    const Config& c = model.config;
    const Weights& w = model.weights;
    assert(image.shape()[0] % static_cast<std::size_t>(c.channels) == 0);
    const Batch batch{static_cast<int>(image.shape()[0]) / c.channels, c.tokens()};

    EmbeddingTrace t;
    t.image = std::move(image);
    if (const std::vector<CoverPatches> covers = edit.equations(c, 0).covers; !covers.empty())
        t.covered = covered(t.image, c, covers);
    t.patch_embedding = linear(w.patch_embedding, patches_as_rows(t.pixels(), c.channels, c.patch_size));
    edit(Site::embedded, 0, t.patch_embedding);
    t.tokens = prepend(w.leading, t.patch_embedding, batch);
    edit(Site::tokens, 0, t.tokens);
    Tensor2 positions = position_of_tokens(c, w.position);
    edit(Site::position, 0, positions);
    t.z = add_positions(t.tokens, positions);
    t.rotation = rotation_angles(c);
    if (t.rotation.size() > 0) edit(Site::position, 0, t.rotation);
    if (!c.embedding_norm) return t;
    t.placed = std::move(t.z);
    t.z = layer_norm(w.embedding_norm, t.placed, c.layer_norm_epsilon).out;
    return t;
}

void embed_back(const Model& model, const EmbeddingTrace& t, const Editor& edit, FlatWeights& gradients,
                EmbeddingTrace& g) {
    const Config& c = model.config;
    const Weights& into = gradients.weights();
    if (c.embedding_norm)
        g.placed = norm_back({model.weights.embedding_norm, into.embedding_norm, row_statistics(t.placed), t.placed,
                              c.layer_norm_epsilon},
                             gradients, g.z);
    const Tensor2& d_placed = c.embedding_norm ? g.placed : g.z;
    const auto n = static_cast<std::size_t>(c.tokens());
    const std::size_t images = rows_of(g.z) / n, features = columns_of(g.z), values = n * features;

    Tensor2 d_position = tensor2(n, features);
    std::fill_n(d_position.data(), values, 0.0F);
    for (std::size_t b = 0; b < images; ++b)
        for (std::size_t i = 0; i < values; ++i) d_position.data()[i] += d_placed.data()[b * values + i];
    edit.adjoint(Site::position, 0, d_position);
    const bool learns_positions = c.positions != Positions::sines && c.positions != Positions::none;
    for (int token = 0; token < c.tokens() && learns_positions && !into.position.empty(); ++token)
        if (const std::optional<int> row = c.position_row(token))
            std::copy_n(d_position.data() + static_cast<std::size_t>(token) * features, features,
                        gradients.at(into.position) + static_cast<std::size_t>(*row) * features);

    g.tokens = d_placed;
    edit.adjoint(Site::tokens, 0, g.tokens);
    const std::size_t leading = static_cast<std::size_t>(c.leading_tokens()) * features;
    std::vector<float> d_leading(leading, 0.0F);
    g.patch_embedding = tensor2(images * static_cast<std::size_t>(c.patches()), features);
    for (std::size_t b = 0; b < images; ++b) {
        const float* const rows = g.tokens.data() + b * values;
        for (std::size_t i = 0; i < leading; ++i) d_leading[i] += rows[i];
        std::copy_n(rows + leading, values - leading, g.patch_embedding.data() + b * (values - leading));
    }
    if (!into.leading.empty()) std::copy_n(d_leading.data(), leading, gradients.at(into.leading));
    edit.adjoint(Site::embedded, 0, g.patch_embedding);
    weight_gradients(into.patch_embedding, gradients, patches_as_rows(t.pixels(), c.channels, c.patch_size),
                     g.patch_embedding);
}

}  // namespace vitrine
