#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/rooms/exercise/exercise.h"
#include "app/ui/theme.h"
#include "tests/ui/harness.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/text_room.h"

// Contrast of all text (4.5 : 1) and of all marks on a surface (3 : 1) with what is drawn below them, measured from the
// draw lists of every screen in both themes. Disabled controls and the colours of heat maps are left out, as WCAG 1.4.3
// and 1.4.11 do. On the way, no number on any of them has a hyphen for its minus.

namespace vitrine {
namespace {

struct Triangle {
    ImVec2 at[3];
    ImU32 color[3];
    ImVec4 clip;
    bool plain = false;     // of one colour: no glyph, no picture
    bool textured = false;  // a picture
};

Color color_of(ImU32 c) {
    const auto channel = [c](int shift) { return static_cast<std::uint8_t>((c >> shift) & 0xFF); };
    return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), channel(IM_COL32_A_SHIFT)};
}

Color over(Color ground, Color ink) {
    const float a = static_cast<float>(ink.a) / 255;
    const auto mixed = [a](std::uint8_t below, std::uint8_t above) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(below) + (static_cast<float>(above) - static_cast<float>(below)) * a));
    };
    return {mixed(ground.r, ink.r), mixed(ground.g, ink.g), mixed(ground.b, ink.b), 255};
}

/// All triangles of a frame, from back to front.
std::vector<Triangle> drawn_triangles() {
    std::vector<Triangle> all;
    const ImDrawData* const data = ImGui::GetDrawData();
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImTextureID font = ImGui::GetIO().Fonts->TexID;
    for (int l = 0; l < data->CmdListsCount; ++l) {
        const ImDrawList& list = *data->CmdLists[l];
        for (const ImDrawCmd& command : list.CmdBuffer)
            for (unsigned i = 0; i + 2 < command.ElemCount && command.UserCallback == nullptr; i += 3) {
                Triangle t;
                t.clip = command.ClipRect;
                t.plain = true;
                for (unsigned k = 0; k < 3; ++k) {
                    const int index = static_cast<int>(command.VtxOffset) +
                                      list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)];
                    const ImDrawVert& vertex = list.VtxBuffer[index];
                    t.at[k] = vertex.pos;
                    t.color[k] = vertex.col;
                    t.plain = t.plain && vertex.uv.x == white.x && vertex.uv.y == white.y;
                }
                t.textured = command.GetTexID() != font;
                t.plain = t.plain && !t.textured;
                all.push_back(t);
            }
    }
    return all;
}

ImVec2 middle_of(const Triangle& t) {
    return {(t.at[0].x + t.at[1].x + t.at[2].x) / 3, (t.at[0].y + t.at[1].y + t.at[2].y) / 3};
}

float side(ImVec2 a, ImVec2 b, ImVec2 p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

bool covers(const Triangle& t, ImVec2 p) {
    if (p.x < t.clip.x || p.y < t.clip.y || p.x > t.clip.z || p.y > t.clip.w) return false;
    const float a = side(t.at[0], t.at[1], p), b = side(t.at[1], t.at[2], p), c = side(t.at[2], t.at[0], p);
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

/// The colour below a triangle at a point; none where a picture is.
std::optional<Color> ground_below(const std::vector<Triangle>& all, std::size_t before, ImVec2 p, Color window) {
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
bool has_hyphen_for_minus(const std::string& words) {
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
        const Palette& palette = palette_of(h.app->state().settings.theme);
        const std::vector<Triangle> all = drawn_triangles();
        for (const Probe::Words& words : h.app->probe().words()) {
            measure_words(all, words, palette, where);
            EXPECT_FALSE(has_hyphen_for_minus(words.text)) << "\"" << words.text << "\" in " << where;
        }
        measure_marks(all, palette, where);
    }
    void expect_none() const {
        for (const auto& [pair, where] : failures_) ADD_FAILURE() << pair << ": " << where;
        EXPECT_GT(texts_, 500U);
        EXPECT_GT(marks_, 100U);
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

void turn_to(Harness& h, ThemeKind kind) {
    h.change()->settings.theme = kind;
    h.settle();
}

constexpr ThemeKind both[] = {ThemeKind::dark, ThemeKind::light};

TEST(Contrast, OfAllStepsIsEnough) {
    Contrasts contrasts;
    Harness h(Harness::with_image("cat"), {1280, 720});
    for (const ThemeKind kind : both) {
        turn_to(h, kind);
        for (const Step& step : curriculum()) {
            go_to(h, step.id);
            contrasts.look_at(h, std::string(step.id));
            h.change()->what_ifs = {remove_head(1, 0), remove_positions()};
            h.settle();
            contrasts.look_at(h, std::string(step.id) + " with changes");
            h.change()->what_ifs.clear();
            h.settle();
        }
    }
    contrasts.expect_none();
}

TEST(Contrast, OfAllInstrumentsIsEnough) {
    Contrasts contrasts;
    for (const auto& [instrument, name] : instrument_names) {
        Harness h(laboratory(instrument), {1280, 720});
        for (const ThemeKind kind : both) {
            turn_to(h, kind);
            contrasts.look_at(h, std::string("lab ") + name);
        }
    }
    contrasts.expect_none();
}

TEST(Contrast, OfAllChaptersOfTextsIsEnough) {
    Contrasts contrasts;
    Harness h(in_the_text_room(), {1280, 720});
    for (const ThemeKind kind : both) {
        turn_to(h, kind);
        for (const auto& [chapter, name] : text_chapter_names) {
            enter(h, chapter);
            contrasts.look_at(h, std::string("text ") + name);
        }
    }
    contrasts.expect_none();
}

TEST(Contrast, OfOtherRoomsDialogsAndLecturesIsEnough) {
    Contrasts contrasts;
    Harness h(Harness::with_image("cat"), {1280, 720});
    for (const ThemeKind kind : both) {
        turn_to(h, kind);
        for (const char* const room : {"learn", "exercise"}) {
            h.carry_out(command::EnterRoom{room});
            h.settle();
            contrasts.look_at(h, room);
        }
        for (const auto& [exercise, name] : exercise_names) {
            const Listing listing = listing_of(exercise, h.result().model->config);
            h.change()->settings.exercises[name] = {row_of(exercise).prediction, listing.wrong, listing.right};
            h.change().focus().exercise = exercise;
            h.settle();
            contrasts.look_at(h, std::string("exercise ") + name);
        }
        h.carry_out(command::EnterRoom{"explore"});
        for (const char* const dialog : {"start", "find", "help", "lessons", "language", "glossary", "references",
                                         "take_away", "get_model", "open_image", "open_model"}) {
            h.carry_out(command::ShowDialog{dialog});
            h.settle();
            contrasts.look_at(h, dialog);
        }
        h.carry_out(command::ShowDialog{});
        begin_lecture(h);
        contrasts.look_at(h, "a lecture");
        h.press(Key::a);
        contrasts.look_at(h, "a question");
        h.press(Key::l);
        h.frame(40);
    }
    contrasts.expect_none();
}

}  // namespace
}  // namespace vitrine
