#include "core/training/pictures/painting.h"

namespace vitrine {

namespace {

/// 3t² − 2t³: flat at both ends.
float ease(float t) { return t * t * (3 - 2 * t); }

}  // namespace

Colour mix(Colour a, Colour b, float share_of_b) {
    return {a.r + (b.r - a.r) * share_of_b, a.g + (b.g - a.g) * share_of_b, a.b + (b.b - a.b) * share_of_b};
}

Colour darken(Colour c, float factor) { return {c.r * factor, c.g * factor, c.b * factor}; }

Colour from_hsv(float hue, float saturation, float value) {
    // Each channel is a trapezoid of the hue, a third of a turn apart.
    const auto channel = [&](float shift) {
        float t = hue + shift;
        t = (t - std::floor(t)) * 6;
        const float tent = clamp_to_unit(std::fabs(t - 3) - 1);
        return value * (1 - saturation + saturation * tent);
    };
    const float r = channel(0), g = channel(2.0F / 3), b = channel(1.0F / 3);
    return {r, g, b};
}

float distance(Colour a, Colour b) {
    const float r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;
    return std::sqrt(r * r + g * g + blue * blue);
}

Colour vivid(Random& random) {
    const float hue = uniform(random), saturation = uniform(random, 0.55F, 0.95F);
    const float value = uniform(random, 0.65F, 1.0F);
    return from_hsv(hue, saturation, value);
}

Colour any_colour(Random& random, float most_saturation) {
    const float hue = uniform(random), saturation = uniform(random, 0, most_saturation);
    const float value = uniform(random, 0.2F, 1.0F);
    return from_hsv(hue, saturation, value);
}

ValueNoise::ValueNoise(float across, float down, std::uint32_t seed)
    : across_(across), down_(down), columns_(static_cast<std::size_t>(across) + 2) {
    const std::size_t rows = static_cast<std::size_t>(down) + 2;
    grid_.reserve(columns_ * rows);
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns_; ++x)
            grid_.push_back(
                static_cast<float>(hash(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), seed) >> 8) *
                0x1.0p-24F);
}

void ValueNoise::prepare(int count) {
    row_.resize(columns_);
    for (int i = 0; i < count; ++i) {
        const float x = (static_cast<float>(i) + 0.5F) / static_cast<float>(count) * across_;
        cell_.push_back(static_cast<std::size_t>(x));
        between_.push_back(ease(x - std::floor(x)));
    }
}

void ValueNoise::read_row(float share_down, std::vector<float>& heights) {
    const float y = share_down * down_;
    const float t = ease(y - std::floor(y));
    const float* const upper = grid_.data() + static_cast<std::size_t>(y) * columns_;
    const float* const lower = upper + columns_;
    for (std::size_t i = 0; i < columns_; ++i) row_[i] = upper[i] + (lower[i] - upper[i]) * t;
    for (std::size_t i = 0; i < cell_.size(); ++i) {
        const float left = row_[cell_[i]], right = row_[cell_[i] + 1];
        heights[i] = left + (right - left) * between_[i];
    }
}

}  // namespace vitrine
