#include "app/ui/widgets/picture.h"

#include <cmath>

namespace vitrine {

Color colour_of_cell(const HeatMap& map, float value, ThemeKind kind) {
    const float place = map.scale.position(value);
    const float amount = is_signed(map.scale.map) ? std::abs(2 * place - 1) : place;
    return colour_at(map.scale, value, kind).with_alpha(std::lerp(map.opacity_floor, 1.0F, std::sqrt(amount)));
}

void desaturate(std::span<std::uint8_t> rgb, float saturation) {
    if (saturation >= 1) return;
    for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) {
        const float grey = 0.2126F * rgb[i] + 0.7152F * rgb[i + 1] + 0.0722F * rgb[i + 2];
        for (std::size_t c = i; c < i + 3; ++c) {
            rgb[c] = static_cast<std::uint8_t>(std::lerp(grey, static_cast<float>(rgb[c]), saturation) + 0.5F);
        }
    }
}

}  // namespace vitrine
