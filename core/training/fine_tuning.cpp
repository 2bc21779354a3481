#include "core/training/fine_tuning.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/tensor/tensor.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

namespace {

/// The four source places from which a place of a resampled line is interpolated, and their weights (Keys 1981).
struct Taps {
    std::array<int, 4> places;
    std::array<double, 4> weights;
};

Taps taps_of(int place, int to, int from) {
    constexpr double a = -0.75;
    const double at = (place + 0.5) * from / to - 0.5, whole = std::floor(at), part = at - whole;
    const auto near = [&](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
    const auto far = [&](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
    Taps taps{{}, {far(1 + part), near(part), near(1 - part), far(2 - part)}};
    for (int i = 0; i < 4; ++i) taps.places.at(i) = std::clamp(static_cast<int>(whole) - 1 + i, 0, from - 1);
    return taps;
}

/// Copies the classifier's rows of the classes with equal names, in the order of the recipe's labels.
void copy_rows(const LinearWeights& from, const Config& source, const LinearWeights& to, const Config& target,
               FlatWeights& flat) {
    const auto dim = static_cast<std::size_t>(target.embedding_dim);
    for (int k = 0; k < target.classes; ++k) {
        int same = 0;
        while (same < source.classes && source.label(same) != target.label(k)) ++same;
        if (same == source.classes) continue;
        const auto row = static_cast<std::size_t>(same), place = static_cast<std::size_t>(k);
        std::copy_n(from.weight.data() + row * dim, dim, flat.at(to.weight) + place * dim);
        if (!from.bias.empty()) flat.at(to.bias)[place] = from.bias.data()[row];
    }
}

/// True if the channels' values agree.
bool alike(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) <= 1e-6; });
}

}  // namespace

Tensor2 positions_for(const Config& to, const Config& from, const Parameter& positions) {
    const auto dim = static_cast<std::size_t>(to.embedding_dim);
    Tensor2 out = tensor2(static_cast<std::size_t>(to.position_rows()), dim);
    std::copy_n(positions.data(), static_cast<std::size_t>(to.first_patch_position()) * dim, out.data());
    for (int patch = 0; patch < to.patches(); ++patch) {
        const Taps down = taps_of(patch / to.grid_width(), to.grid_height(), from.grid_height());
        const Taps right = taps_of(patch % to.grid_width(), to.grid_width(), from.grid_width());
        for (std::size_t d = 0; d < dim; ++d) {
            double sum = 0;
            for (std::size_t y = 0; y < 4; ++y)
                for (std::size_t x = 0; x < 4; ++x) {
                    const int row =
                        from.first_patch_position() + down.places.at(y) * from.grid_width() + right.places.at(x);
                    sum += down.weights.at(y) * right.weights.at(x) *
                           static_cast<double>(positions.data()[static_cast<std::size_t>(row) * dim + d]);
                }
            out(static_cast<std::size_t>(to.first_patch_position() + patch), d) = static_cast<float>(sum);
        }
    }
    return out;
}

FlatWeights begun_from(const Model& learned, const Recipe& recipe) {
    const Config& target = recipe.model;
    const Config& source = learned.config;
    const auto shape = [](const Config& c) {
        return std::array{c.channels,
                          c.patch_size,
                          c.embedding_dim,
                          c.blocks,
                          c.heads,
                          c.mlp_dim,
                          c.embedding_norm ? 1 : 0,
                          c.patch_bias ? 1 : 0,
                          c.classifier_inputs()};
    };
    if (shape(target) != shape(source) || target.leading != source.leading)
        throw Error(
            "the model to start from has other sizes than the run (patches, D, blocks, heads or MLP), other tokens "
            "before its patches, or another head; start "
            "with another one, or give the run its sizes");
    if (!source.plain_blocks())
        throw Error(
            "the model to start from has parts in its blocks that a run does not train (layer scale, a gate, a norm or "
            "positions inside); start with a plain Vision Transformer");
    const Preprocessing source_input = learned.preprocessing, target_input = untrained_model(recipe).preprocessing;
    if (!alike(source_input.mean, target_input.mean) || !alike(source_input.std, target_input.std))
        throw Error(
            "the model to start from normalises its pictures differently from a run (other means or deviations "
            "of the colours); start with one made by vitrine train, or with a bundled one");
    FlatWeights flat(target);
    const std::vector<NamedParameter> from = parameters_of(learned.weights), to = parameters_of(flat.weights());
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
        if (from[i].name == to[i].name && from[i].parameter.shape() == to[i].parameter.shape())
            std::copy_n(from[i].parameter.stored().data(), from[i].parameter.size(), flat.at(to[i].parameter));
    const Tensor2 positions = positions_for(target, source, learned.weights.position);
    std::copy_n(positions.data(), positions.size(), flat.at(flat.weights().position));
    const LinearWeights& head = flat.weights().classifier;
    std::fill_n(flat.at(head.weight), head.weight.size(), 0.0F);
    std::fill_n(flat.at(head.bias), head.bias.size(), 0.0F);
    copy_rows(learned.weights.classifier, source, head, target, flat);
    return flat;
}

}  // namespace vitrine
