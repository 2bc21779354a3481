#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/ui/widgets/colour_map.h"

namespace vitrine {

struct BlockTrace;
struct Focus;

// The weights in the maps of the chapter on attention: of the chosen token in each head of the chosen block.

/// The chosen block of the run.
std::shared_ptr<const BlockTrace> block_in_view(const Scene& scene, const Focus& focus);

/// A head's weights for all tokens: row A[token, ·] of the chosen token, or column A[·, token] if `looked_at`.    (N)
std::vector<float> map_weights(const BlockTrace& block, const Focus& focus, int head);

/// The largest weight on a patch in a head's map.
float largest_of_head(const Config& c, const BlockTrace& block, const Focus& focus, int head);

/// The scale of a head's map: 0 to the largest weight in the chosen scope.
ColourScale scale_of_head(const Scene& scene, const Focus& focus, int head);

/// The weights on patches in all maps that share the colour scale of the chosen head's.
std::vector<float> weights_in_view(const Scene& scene, const Focus& focus);

/// A map's largest weight, if its colour is too dark to see; else none.
std::optional<float> darkness_of(std::span<const float> patches, const ColourScale& scale);

}  // namespace vitrine
