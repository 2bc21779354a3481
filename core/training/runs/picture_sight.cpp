#include "core/training/runs/picture_sight.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/files/image.h"
#include "core/measures/position_similarity.h"
#include "core/training/pixels.h"
#include "core/vit/flat_weights.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

/// The bin of log₁₀|g|, looked up by g's exponent and the first four bits of its mantissa: many times faster than
/// log10.
int bin_of(float g) {
    static const std::array<std::uint8_t, 4096> bins = [] {
        std::array<std::uint8_t, 4096> table = {};
        for (std::uint32_t i = 0; i < table.size(); ++i) {
            const double magnitude = static_cast<double>(std::bit_cast<float>(i << 19 | 1U << 18));
            const double height = std::isfinite(magnitude) && magnitude > 0 ? std::log10(magnitude) : BlockFlow::lowest;
            const double share = (height - BlockFlow::lowest) / (BlockFlow::highest - BlockFlow::lowest);
            table[i] = static_cast<std::uint8_t>(
                std::clamp(static_cast<int>(share * BlockFlow::bins), 0, BlockFlow::bins - 1));
        }
        return table;
    }();
    return bins[(std::bit_cast<std::uint32_t>(g) & 0x7FFFFFFFU) >> 19];
}

std::vector<BlockFlow> flows_of(int blocks, const FlatWeights& weights, const FlatWeights& gradients) {
    std::vector<BlockFlow> flows(static_cast<std::size_t>(blocks));
    for (const NamedParameter& p : parameters_of(gradients.weights())) {
        if (p.block < 1 || p.block > static_cast<int>(flows.size()) || !p.in_block_matrix) continue;
        BlockFlow& flow = flows[static_cast<std::size_t>(p.block - 1)];
        const float* const w = weights.values().data() + gradients.offset_of(p.parameter);
        for (std::size_t i = 0; i < p.parameter.size(); ++i) {
            const double g = static_cast<double>(p.parameter(i));
            flow.gradient_norm += g * g;
            flow.weight_norm += static_cast<double>(w[i]) * static_cast<double>(w[i]);
            flow.gradients[static_cast<std::size_t>(bin_of(p.parameter(i)))] += 1;
        }
    }
    for (BlockFlow& flow : flows) {
        flow.gradient_norm = std::sqrt(flow.gradient_norm);
        flow.weight_norm = std::sqrt(flow.weight_norm);
        float count = 0;
        for (const float n : flow.gradients) count += n;
        for (float& n : flow.gradients) n /= std::max(count, 1.0F);
    }
    return flows;
}

}  // namespace

void look_at_examples(const Model& model, const std::vector<ExamplePicture>& pictures, PictureSight& sight) {
    const Config& c = model.config;
    std::vector<const std::uint8_t*> pixels;
    std::vector<Image> resized;
    resized.reserve(pictures.size());
    for (const ExamplePicture& p : pictures) {
        const bool fits = p.small->width == c.image_width && p.small->height == c.image_height;
        resized.push_back(fits ? *p.small
                               : resize(*p.large, c.image_width, c.image_height, Preprocessing::Filter::bilinear));
        pixels.push_back(resized.back().rgb.data());
    }
    const Trace trace = forward(model, normalised(pixels, model));
    sight.probabilities.assign(trace.head->probabilities.begin(), trace.head->probabilities.end());
    for (std::size_t image = 0; image < pictures.size(); ++image)
        for (int l = 1; l <= trace.blocks(); ++l) {
            const auto block = trace.block(l);
            for (int head = 0; head < c.heads; ++head) {
                const std::vector<float> row = readout_row(c, *block, static_cast<int>(image) * c.heads + head);
                float rest = 1;
                for (int j = 0; j < c.leading_tokens(); ++j) rest -= row[static_cast<std::size_t>(j)];
                for (const float a : c.patches_of(row)) sight.attention.push_back(rest > 0 ? a / rest : 0.0F);
            }
        }
}

void look_at_weights(const Model& model, const FlatWeights& weights, const FlatWeights& gradients,
                     PictureSight& sight) {
    if (model.config.positions != Positions::none) sight.position_similarity = position_similarity(model);
    sight.blocks = flows_of(model.config.blocks, weights, gradients);
}

}  // namespace vitrine
