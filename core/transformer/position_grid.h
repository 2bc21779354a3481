#pragma once

#include <vector>

#include "core/base/names.h"
#include "core/tensor/tensor.h"

namespace vitrine {

/// How a family of models interpolates its position table for another grid of patches. Each rule works along the rows
/// and along the columns in the same way.
enum class PositionRule {
    /// Bicubic (a = −0.75), pixel centres, no antialiasing: Hugging Face's ViT, DINOv2, CLIP
    /// (transformers, `interpolate_pos_encoding`).
    bicubic,
    /// Bicubic (a = −0.5), pixel centres, antialiased: timm (`resample_abs_pos_embed`), DINOv2 with registers.
    antialiased,
    /// Bicubic (a = −0.75), aligned corners: torchvision (`interpolate_embeddings`).
    corners,
    /// As `bicubic`, with steps of g₀ / (g + 0.1): the code published with DINO and DINOv2.
    offset,
    /// Linear, pixel centres, no antialiasing: BEiT's tables of relative positions (transformers, modeling_beit.py).
    bilinear,
    /// Linear between the old offsets, placed on the new grid with gaps that grow by a constant factor; constant beyond
    /// the last one: timm's tables of relative positions (`resize_rel_pos_bias_table`, timm/layers/pos_embed_rel.py).
    /// The number of offsets is odd; the middle one is 0.
    geometric,
    /// Linear, aligned corners: the JAX code published with ViT (`scipy.ndimage.zoom`, order 1).
    linear,
};
inline constexpr Named<PositionRule> position_rules[] = {
    {PositionRule::bicubic, "bicubic"},   {PositionRule::antialiased, "antialiased"},
    {PositionRule::corners, "corners"},   {PositionRule::offset, "offset"},
    {PositionRule::bilinear, "bilinear"}, {PositionRule::geometric, "geometric"},
    {PositionRule::linear, "linear"}};

/// Rows and columns of patches.
struct PositionGrid {
    int rows = 0, columns = 0;

    int patches() const { return rows * columns; }
    bool operator==(const PositionGrid&) const = default;
};

/// The weights of one position of the new grid along one axis: those of the old positions `first`, `first` + 1, …
struct AxisWeights {
    int first = 0;
    std::vector<double> weights;  // sum 1
};

/// The weights of `after` positions that replace `before` along one axis.
std::vector<AxisWeights> axis_weights(PositionRule rule, int before, int after);

/// A table of one row for each patch, in reading order, interpolated for another grid. (before.patches(), D) ->
/// (after.patches(), D); a grid of the same size keeps its numbers. Sums are in double, results in float32.
Tensor2 interpolate_positions(PositionRule rule, const float* table, std::size_t width, PositionGrid before,
                              PositionGrid after);

}  // namespace vitrine
