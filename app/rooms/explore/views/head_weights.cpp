#include "app/rooms/explore/views/head_weights.h"

#include <algorithm>

#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/ui/widgets/heatmap.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/token_weights.h"

namespace vitrine {

std::shared_ptr<const BlockTrace> block_in_view(const Scene& scene, const Focus& focus) {
    return scene.now.trace.block(focus.block);
}

std::vector<float> map_weights(const BlockTrace& block, const Focus& focus, int head) {
    const std::span<const float> row = attention_row(block, head, focus.token);
    if (!focus.looked_at) return {row.begin(), row.end()};
    std::vector<float> column;
    for (int query = 0; query < static_cast<int>(row.size()); ++query)
        column.push_back(attention_row(block, head, query)[static_cast<std::size_t>(focus.token)]);
    return column;
}

float largest_of_head(const Config& c, const BlockTrace& block, const Focus& focus, int head) {
    const std::vector<float> weights = map_weights(block, focus, head);
    const std::span<const float> patches = c.patches_of(weights);
    return patches.empty() ? 0.0F : *std::max_element(patches.begin(), patches.end());
}

namespace {

/// The largest weight on a patch in the maps of the block's heads that are not switched off.
float largest_of_block(const Scene& scene, const BlockTrace& block, const Focus& focus) {
    const Config& c = scene.now.model->config;
    float most = 0;
    for (int head = 0; head < c.heads; ++head)
        if (!head_is_off(scene, focus.block, head)) most = std::max(most, largest_of_head(c, block, focus, head));
    return most;
}
float largest_of_model(const Scene& scene, const Focus& focus) {
    const Config& c = scene.now.model->config;
    const Trace& trace = scene.now.trace;
    float most = 0;
    for (int block = 1; block <= trace.blocks(); ++block)
        for (int head = 0; head < c.heads; ++head) {
            if (head_is_off(scene, block, head)) continue;
            const std::vector<float> weights = weights_of_head(trace, block, head, {focus.token, focus.looked_at});
            for (const float weight : c.patches_of(weights)) most = std::max(most, weight);
        }
    return most;
}

}  // namespace

ColourScale scale_of_head(const Scene& scene, const Focus& focus, int head) {
    const auto block = block_in_view(scene, focus);
    const Config& c = scene.now.model->config;
    float high = 0.0F;
    const Scope range = range_in_chapter(focus.scope);
    switch (range) {
        case Scope::head: high = largest_of_head(c, *block, focus, std::min(head, c.heads - 1)); break;
        case Scope::block: high = largest_of_block(scene, *block, focus); break;
        case Scope::model: high = largest_of_model(scene, focus); break;
        case Scope::fixed: high = focus.lab.fixed_high; break;
        case Scope::automatic: break;
    }
    if (scene.other != nullptr && range != Scope::fixed) {
        Focus there = scene.other->selection.focus;
        there.scope = range;
        high = std::max(high, scale_of_head(scene.of_other(), there, head).high);
    }
    return {ColourMap::sequential, 0.0F, high > 0.0F ? high : 1.0F, focus.lab.curve};
}

std::vector<float> weights_in_view(const Scene& scene, const Focus& focus) {
    const Config& c = scene.now.model->config;
    const auto block = block_in_view(scene, focus);
    const bool one = focus.solo || range_in_chapter(focus.scope) == Scope::head;
    std::vector<float> weights;
    for (int head = one ? focus.head : 0; head < (one ? focus.head + 1 : c.heads); ++head) {
        if (!one && head_is_off(scene, focus.block, head)) continue;
        const std::vector<float> own = map_weights(*block, focus, head);
        const std::span<const float> patches = c.patches_of(own);
        weights.insert(weights.end(), patches.begin(), patches.end());
    }
    return weights;
}

std::optional<float> darkness_of(std::span<const float> patches, const ColourScale& scale) {
    constexpr float seen = 0.4F;  // share of the colour scale from which a cell is visible
    const float largest = *std::max_element(patches.begin(), patches.end());
    return scale.position(largest) < seen ? std::optional(largest) : std::nullopt;
}

}  // namespace vitrine
