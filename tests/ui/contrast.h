#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/theme.h"
#include "tests/ui/drawn_triangles.h"
#include "tests/ui/harness.h"

// Contrast of all text (4.5 : 1) and of all marks on a surface (3 : 1) with what is drawn below them, measured from the
// draw lists of a screen. Disabled controls and the colours of heat maps are left out, as WCAG 1.4.3 and 1.4.11 do. On
// the way, no number has a hyphen for its minus.

namespace vitrine {

inline Color color_of(ImU32 c) {
    const auto channel = [c](int shift) { return static_cast<std::uint8_t>((c >> shift) & 0xFF); };
    return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

inline Color over(Color ground, Color ink) {
    const float a = static_cast<float>(ink.a) / 255;
    const auto mixed = [a](std::uint8_t below, std::uint8_t above) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(below) + (static_cast<float>(above) - static_cast<float>(below)) * a));
    };
    return {mixed(ground.r, ink.r), mixed(ground.g, ink.g), mixed(ground.b, ink.b), 255};
}

inline ImVec2 middle_of(const Triangle& t) {
    return {(t.at[0].x + t.at[1].x + t.at[2].x) / 3, (t.at[0].y + t.at[1].y + t.at[2].y) / 3};
}

inline float side(ImVec2 a, ImVec2 b, ImVec2 p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

inline bool covers(const Triangle& t, ImVec2 p) {
    if (p.x < t.clip.x || p.y < t.clip.y || p.x > t.clip.z || p.y > t.clip.w) return false;
    const float a = side(t.at[0], t.at[1], p), b = side(t.at[1], t.at[2], p), c = side(t.at[2], t.at[0], p);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

/// The triangles of a frame, found by their place.
class DrawnFrame {
public:
    DrawnFrame() : all(drawn_triangles()) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Triangle& t = all[i];
            const auto [left, right] = std::minmax({t.at[0].x, t.at[1].x, t.at[2].x});
            const auto [top, bottom] = std::minmax({t.at[0].y, t.at[1].y, t.at[2].y});
            const Tile first = tile_of({std::max(left, t.clip.x), std::max(top, t.clip.y)}),
                       last = tile_of({std::min(right, t.clip.z), std::min(bottom, t.clip.w)});
            for (int x = first.first; x <= last.first; ++x)
                for (int y = first.second; y <= last.second; ++y) tiles_[{x, y}].push_back(i);
        }
    }

    /// The colour below a triangle at a point; none where a picture is.
    std::optional<Color> ground_below(std::size_t triangle, ImVec2 p, Color window) const {
        Color ground = window;
        const auto tile = tiles_.find(tile_of(p));
        if (tile == tiles_.end()) return ground;
        for (const std::size_t i : tile->second) {
            if (i >= triangle) break;
            if (!covers(all[i], p)) continue;
            if (all[i].textured) return std::nullopt;
            if (all[i].plain) ground = over(ground, color_of(all[i].color[0]));
        }
        return ground;
    }

    const std::vector<Triangle> all;

private:
    using Tile = std::pair<int, int>;
    static Tile tile_of(ImVec2 p) {
        constexpr float side = 32;  // px
        return {static_cast<int>(std::floor(p.x / side)), static_cast<int>(std::floor(p.y / side))};
    }
    std::map<Tile, std::vector<std::size_t>> tiles_;  // each from back to front
};

/// Whether a hyphen stands for a minus before a number; code, as in "softmax(-1)", "(N, -1)", "axis = -1" and an
/// indented line, has hyphens.
inline bool has_hyphen_for_minus(const std::string& words) {
    if (words.starts_with("  ")) return false;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] != '-' || words[i + 1] < '0' || words[i + 1] > '9') continue;
        if (i == 0 || (words[i - 1] == ' ' && (i < 2 || (words[i - 2] != ',' && words[i - 2] != '=')))) return true;
    }
    return false;
}

/// The colours of marks, and of the surfaces that they are drawn on.
inline std::array<Color, 10> marks_of(const Palette& p) {
    return {p.accent, p.query, p.key, p.value, p.norm, p.mlp, p.residual, p.positive, p.negative, p.danger};
}
inline std::array<Color, 3> surfaces_of(const Palette& p) { return {p.background, p.panel, p.raised}; }

/// The failures of all screens, each pair of colours once, with its first place.
class Contrasts {
public:
    void look_at(Harness& h, const std::string& where) {
        look_at(h.app->probe(), palette_of(h.app->state().settings.theme), where);
    }
    /// The frame that the current ImGui context has drawn last.
    void look_at(const Probe& probe, const Palette& palette, const std::string& where) {
        const DrawnFrame drawn;
        measure_words(drawn, probe.words(), palette, where);
        for (const Probe::Words& words : probe.words())
            EXPECT_FALSE(has_hyphen_for_minus(words.text)) << "\"" << words.text << "\" in " << where;
        measure_marks(drawn, palette, where);
    }
    void expect_none(std::size_t texts = 500, std::size_t marks = 100) const {
        for (const auto& [pair, where] : failures_) ADD_FAILURE() << pair << ": " << where;
        EXPECT_GT(texts_, texts);
        EXPECT_GE(marks_, marks);
    }

private:
    void measure_words(const DrawnFrame& drawn, const std::vector<Probe::Words>& all, const Palette& palette,
                       const std::string& where) {
        for (std::size_t i = 0; i < drawn.all.size(); ++i) {
            const Triangle& t = drawn.all[i];
            const ImVec2 at = middle_of(t);
            const Color ink = color_of(t.color[0]);
            if (t.plain || t.textured || ink.a == 0 || ink == palette.muted.with_alpha(0.6F)) continue;  // disabled
            const auto words = std::ranges::find_if(all, [at](const Probe::Words& w) {
                return w.rect.contains({at.x, at.y});
            });
            if (words == all.end()) continue;
            const std::optional<Color> ground = drawn.ground_below(i, at, palette.background);
            if (!ground) continue;
            ++texts_;
            judge(over(*ground, ink), *ground, 4.5, "\"" + words->text + "\" in " + where);
        }
    }

    void measure_marks(const DrawnFrame& drawn, const Palette& palette, const std::string& where) {
        const auto marks = marks_of(palette);
        const auto surfaces = surfaces_of(palette);
        for (std::size_t i = 0; i < drawn.all.size(); ++i) {
            const Triangle& t = drawn.all[i];
            if (!t.plain || t.color[0] != t.color[1] || t.color[0] != t.color[2]) continue;
            const Color ink = color_of(t.color[0]);
            if (std::ranges::find(marks, ink) == marks.end()) continue;
            const std::optional<Color> ground = drawn.ground_below(i, middle_of(t), palette.background);
            if (!ground || std::ranges::find(surfaces, *ground) == surfaces.end()) continue;  // marks that overlap
            ++marks_;
            judge(ink, *ground, 3, "a mark in " + where);
        }
    }

    void judge(Color ink, Color ground, double least, const std::string& where) {
        const double ratio = contrast(ink, ground);
        if (ratio >= least) return;
        const auto name = [](Color c) {
            char words[16];
            std::snprintf(words, sizeof words, "#%02x%02x%02x", c.r, c.g, c.b);
            return std::string(words);
        };
        failures_.try_emplace(name(ink) + " on " + name(ground) + " is " + std::to_string(ratio), where);
    }

    std::map<std::string, std::string> failures_;
    std::size_t texts_ = 0, marks_ = 0;
};

inline void turn_to(Harness& h, ThemeKind kind) {
    h.change()->settings.theme = kind;
    h.settle();
}

inline constexpr ThemeKind both_themes[] = {ThemeKind::dark, ThemeKind::light};

/// Measures every screen of a walk in both themes.
class WalkedContrasts {
public:
    const std::function<void(Harness&, const std::string&)> visit = [this](Harness& h, const std::string& where) {
        for (const ThemeKind kind : both_themes) {
            turn_to(h, kind);
            contrasts_.look_at(h, where);
        }
    };
    ~WalkedContrasts() { contrasts_.expect_none(100, 0); }  // a listing has no marks

private:
    Contrasts contrasts_;
};

}  // namespace vitrine
