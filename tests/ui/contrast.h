#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
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

/// The colour below a triangle at a point; none where a picture is.
inline std::optional<Color> ground_below(const std::vector<Triangle>& all, std::size_t before, ImVec2 p, Color window) {
    Color ground = window;
    for (std::size_t i = 0; i < before; ++i) {
        if (!covers(all[i], p)) continue;
        if (all[i].textured) return std::nullopt;
        if (all[i].plain) ground = over(ground, color_of(all[i].color[0]));
    }
    return ground;
}

/// Whether a hyphen stands for a minus before a number; code, as in "softmax(-1)", "(N, -1)" and "axis = -1", has
/// hyphens.
inline bool has_hyphen_for_minus(const std::string& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] != '-' || words[i + 1] < '0' || words[i + 1] > '9') continue;
        if (i == 0 || (words[i - 1] == ' ' && (i < 2 || (words[i - 2] != ',' && words[i - 2] != '=')))) return true;
    }
    return false;
}

/// The failures of all screens, each pair of colours once, with its first place.
class Contrasts {
public:
    void look_at(Harness& h, const std::string& where) {
        look_at(h.app->probe(), palette_of(h.app->state().settings.theme), where);
    }
    /// The frame that the current ImGui context has drawn last.
    void look_at(const Probe& probe, const Palette& palette, const std::string& where) {
        const std::vector<Triangle> all = drawn_triangles();
        for (const Probe::Words& words : probe.words()) {
            measure_words(all, words, palette, where);
            EXPECT_FALSE(has_hyphen_for_minus(words.text)) << "\"" << words.text << "\" in " << where;
        }
        measure_marks(all, palette, where);
    }
    void expect_none(std::size_t texts = 500, std::size_t marks = 100) const {
        for (const auto& [pair, where] : failures_) ADD_FAILURE() << pair << ": " << where;
        EXPECT_GT(texts_, texts);
        EXPECT_GT(marks_, marks);
    }

private:
    void measure_words(const std::vector<Triangle>& all, const Probe::Words& words, const Palette& palette,
                       const std::string& where) {
        std::set<ImU32> seen;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Triangle& t = all[i];
            const ImVec2 at = middle_of(t);
            if (t.plain || t.textured || !words.rect.contains({at.x, at.y}) || !seen.insert(t.color[0]).second)
                continue;
            const Color ink = color_of(t.color[0]);
            if (ink == palette.muted.with_alpha(0.6F) || ink.a == 0) continue;  // disabled
            const std::optional<Color> ground = ground_below(all, i, at, palette.background);
            if (!ground) continue;
            ++texts_;
            judge(over(*ground, ink), *ground, 4.5, "\"" + words.text + "\" in " + where);
        }
    }

    void measure_marks(const std::vector<Triangle>& all, const Palette& palette, const std::string& where) {
        const Color marks[] = {palette.accent, palette.query,    palette.key,      palette.value,    palette.norm,
                               palette.mlp,    palette.residual, palette.positive, palette.negative, palette.danger};
        std::map<ImU32, int> looked;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Triangle& t = all[i];
            if (!t.plain || t.color[0] != t.color[1] || t.color[0] != t.color[2]) continue;
            const Color ink = color_of(t.color[0]);
            if (std::ranges::find(marks, ink) == std::end(marks) || ++looked[t.color[0]] > 60) continue;
            std::optional<Color> ground = ground_below(all, i, middle_of(t), palette.background);
            const Color surfaces[] = {palette.background, palette.panel, palette.raised};
            if (!ground || std::ranges::find(surfaces, *ground) == std::end(surfaces)) continue;  // marks that overlap
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

}  // namespace vitrine
