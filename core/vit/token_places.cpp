#include "core/vit/token_places.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vit/model.h"

namespace vitrine {

namespace {

/// A patch's coordinate along one axis of the grid: its angle, in radians, before division by the period.
double place_along(const Rotary& rotary, int index, int count) {
    if (rotary.grid == Rotary::own_grid) return index;
    if (rotary.grid > 0) return static_cast<double>(index) / count * rotary.grid;
    return 2 * std::numbers::pi * (2 * (index + 0.5) / count - 1);
}

}  // namespace

bool turns_by_place(const TransformerConfig& c) { return c.positions == Positions::rotary; }

Tensor2 rotation_angles(const Config& c) {
    if (!turns_by_place(c)) return {};
    const int pairs = c.head_dim() / 2, of_axis = c.head_dim() / 4;
    Tensor2 angles = tensor2(static_cast<std::size_t>(c.tokens()), static_cast<std::size_t>(pairs));
    std::fill(angles.begin(), angles.end(), 0.0F);
    for (int patch = 0; patch < c.patches(); ++patch) {
        const double y = place_along(c.rotary, patch / c.grid_width(), c.grid_height()),
                     x = place_along(c.rotary, patch % c.grid_width(), c.grid_width());
        for (int i = 0; i < 2 * of_axis; ++i) {
            const double period = std::pow(c.rotary.base, static_cast<double>(i % of_axis) / of_axis);
            angles(static_cast<std::size_t>(c.token_of(patch)), static_cast<std::size_t>(i)) =
                static_cast<float>(((i < of_axis) != c.rotary.columns_first ? y : x) / period);
        }
    }
    return angles;
}

int rows_of_position_bias(const Config& c) { return (2 * c.grid_height() - 1) * (2 * c.grid_width() - 1) + 3; }

int row_of_position_bias(const Config& c, int query, int key) {
    const int rows = rows_of_position_bias(c);
    if (!c.is_patch(query)) return c.is_patch(key) ? rows - 3 : rows - 1;
    if (!c.is_patch(key)) return rows - 2;
    const int from = c.patch_of(query), to = c.patch_of(key), width = c.grid_width();
    const int down = from / width - to / width + c.grid_height() - 1, right = from % width - to % width + width - 1;
    return down * (2 * width - 1) + right;
}

double position_bias_at(const BlockWeights& w, const Config& c, int head, int query, int key) {
    if (w.position_bias.empty()) return 0;
    return static_cast<double>(
        w.position_bias(static_cast<std::size_t>(row_of_position_bias(c, query, key)), static_cast<std::size_t>(head)));
}

Tensor2 similarity_of_turns(const Config& c) {
    const Tensor2 angles = rotation_angles(c);
    const auto patches = static_cast<std::size_t>(c.patches());
    Tensor2 similarity = tensor2(patches, patches);
    for (int a = 0; a < c.patches(); ++a)
        for (int b = 0; b < c.patches(); ++b)
            similarity(static_cast<std::size_t>(a), static_cast<std::size_t>(b)) =
                static_cast<float>(similarity_of_turns(angles, c.token_of(a), c.token_of(b)));
    return similarity;
}

double similarity_of_turns(const Tensor2& angles, int token, int other) {
    const std::size_t pairs = angles.shape()[1];
    double sum = 0;
    for (std::size_t i = 0; i < pairs; ++i)
        sum += std::cos(static_cast<double>(angles(static_cast<std::size_t>(token), i)) -
                        static_cast<double>(angles(static_cast<std::size_t>(other), i)));
    return sum / static_cast<double>(pairs);
}

TokenPlaces token_places(const Config& c, const Tensor2& angles) {
    TokenPlaces places;
    if (angles.size() > 0) places.angles = &angles;
    if (c.position_bias == 0) return places;
    for (int query = 0; query < c.tokens(); ++query)
        for (int key = 0; key < c.tokens(); ++key) places.bias_rows.push_back(row_of_position_bias(c, query, key));
    return places;
}

}  // namespace vitrine
