#include "app/ui/theme.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

namespace {

constexpr Color hex(std::uint32_t rgb) {
    return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8), static_cast<std::uint8_t>(rgb),
            255};
}

constexpr Palette dark = {
    .background = hex(0x0E1116),
    .panel = hex(0x151A21),
    .raised = hex(0x222A35),
    .line = hex(0x2F3946),
    .text = hex(0xE9EDF2),
    .muted = hex(0xA3AFBE),
    .accent = hex(0x6EA8FE),
    .on_accent = hex(0x0B1220),
    .query = hex(0x5AB0FF),
    .key = hex(0xFFA657),
    .value = hex(0x6BD08A),
    .norm = hex(0x4FD1C5),
    .mlp = hex(0xC4A1FF),
    .residual = hex(0xA9B4C2),
    .positive = hex(0xF2A65A),
    .negative = hex(0x6FB1FF),
    .danger = hex(0xFF8C82),
    .shade = hex(0x05070A),
};

constexpr Palette light = {
    .background = hex(0xF0F2F6),
    .panel = hex(0xFFFFFF),
    .raised = hex(0xEBEFF4),
    .line = hex(0xD3DAE3),
    .text = hex(0x17202E),
    .muted = hex(0x505D70),
    .accent = hex(0x1F5BD8),
    .on_accent = hex(0xFFFFFF),
    .query = hex(0x1762C4),
    .key = hex(0x9C4A00),
    .value = hex(0x14713A),
    .norm = hex(0x0B6E66),
    .mlp = hex(0x6B3FC0),
    .residual = hex(0x56606E),
    .positive = hex(0x9C4A00),
    .negative = hex(0x1762C4),
    .danger = hex(0xB3261E),
    .shade = hex(0x1A2230),
};

/// Relative luminance (WCAG 2.1).
double luminance(Color c) {
    const auto linear = [](std::uint8_t level) {
        const double s = level / 255.0;
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

}  // namespace

Color Color::with_alpha(float alpha) const {
    return {r, g, b, static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(alpha, 0.0F, 1.0F)))};
}

float Theme::px(float at_1080p) const { return at_1080p == 0 ? 0 : std::max(1.0F, std::round(at_1080p * scale)); }

const Palette& palette_of(ThemeKind kind) { return kind == ThemeKind::dark ? dark : light; }

double contrast(Color a, Color b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace vitrine
