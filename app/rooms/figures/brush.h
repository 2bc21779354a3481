#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/workspace/selection.h"
#include "core/base/names.h"

namespace vitrine {

struct Intervention;

inline constexpr Named<Paint> paint_names[] = {{Paint::blur, "blur"},           {Paint::grey, "grey"},
                                               {Paint::mean, "mean"},           {Paint::mean_set, "mean_set"},
                                               {Paint::take_away, "take_away"}, {Paint::erase, "erase"}};

/// The effect of a stroke and, for `Paint::mean_set`, the folder of images; "": drawn pictures.
struct PaintAndImages {
    Paint paint;
    std::string images = {};
};
/// The brush's paint, with the folder of images that the laboratory uses.
PaintAndImages paint_of(const Selection& selection);

/// The patches under the brush at `at`, or in the rectangle from `from` to `at`, in ascending order.      0 … N_p − 1
std::vector<int> patches_under(const Brush& brush, const Config& config, int from, int at);

/// The patches that have this paint, in ascending order.      0 … N_p − 1
std::vector<int> painted(const std::vector<Intervention>& what_ifs, const Config& config, Paint paint);

/// The patches that have any paint.
std::vector<int> painted_in_any_way(const std::vector<Intervention>& what_ifs, const Config& config);

/// Paints patches, replacing any earlier paint on them. One what-if holds all patches of a kind of paint.
void paint(std::vector<Intervention>& what_ifs, const Config& config, const PaintAndImages& with,
           const std::vector<int>& patches);

/// Paints all patches that do not have this paint, and clears those that do.
void paint_the_others(std::vector<Intervention>& what_ifs, const Config& config, const PaintAndImages& with);

/// Random patches, ascending: a share of all, at least one; the same for a seed on every platform.      0 … N_p − 1
std::vector<int> random_patches(const Config& config, float share, std::uint32_t seed);

}  // namespace vitrine
