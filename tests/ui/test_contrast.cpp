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
#include "app/rooms/learning/learning_state.h"
#include "app/ui/theme.h"
#include "tests/ui/harness.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/presenter_screen.h"
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

/// On a picture of any colour, since the frame has a rim.
TEST(Contrast, OfTheFramesOnThePicturesOfScoresIsEnough) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
        turn_to(h, kind);
        go_to(h, "scores");
        const Palette& palette = palette_of(kind);
        for (const auto& [id, frame] : {std::pair("scores.query", palette.query), {"scores.key", palette.key}}) {
            const Rect picture = h.item(id).rect.inset(-8);
            std::vector<Color> drawn;
            for (const Triangle& t : drawn_triangles())
                if (const ImVec2 at = middle_of(t);
                    !t.textured && (t.color[0] >> IM_COL32_A_SHIFT) != 0 && picture.contains({at.x, at.y}))
                    drawn.push_back(color_of(t.color[0]));
            EXPECT_NE(std::ranges::find(drawn, frame), drawn.end()) << id;
            for (const Color ground : {Color{0, 0, 0, 255}, Color{128, 128, 128, 255}, Color{255, 255, 255, 255}})
                EXPECT_TRUE(
                    std::ranges::any_of(drawn, [&](Color rim) { return contrast(frame, over(ground, rim)) >= 3; }))
                    << id << " on a picture of " << static_cast<int>(ground.r);
        }
    }
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
        for (const char* const step : {"attention", "mlp", "prediction"}) {
            go_to(h, step);
            contrasts.look_at(h, "a lecture");
            h.press(Key::a);
            contrasts.look_at(h, "a question");
            h.press(Key::a);
            contrasts.look_at(h, "an answer");
            h.press(Key::a);
        }
        h.press(Key::l);
        h.frame(40);
    }
    contrasts.expect_none();
}

TEST(Contrast, OfThePresentersWindowIsEnough) {
    Contrasts contrasts;
    for (const ThemeKind kind : both) {
        Harness h(Harness::with_image("cat"), {1280, 720});
        turn_to(h, kind);
        begin_lesson(h, "tour");
        PresenterScreen screen(h);
        const auto look = [&](const char* where) {
            screen.within([&] { contrasts.look_at(screen.presenter.probe(), palette_of(kind), where); });
        };
        look("a presenter's window");
        screen.tap("presenter.peek");
        look("a presenter's window with an answer");
        h.press(Key::end);
        h.settle();
        screen.frame(2);
        look("a presenter's window at the last stop");
    }
    contrasts.expect_none(50, 5);
}

TEST(Contrast, OfTwoRunsSideBySideIsEnough) {
    Contrasts contrasts;
    Harness h(Harness::with_image("cat"), {1920, 1080});
    h.press(Key::d, Key::ctrl);
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    for (const ThemeKind kind : both) {
        turn_to(h, kind);
        for (const char* const step : {"attention", "layer_norm", "prediction"}) {
            go_to(h, step);
            contrasts.look_at(h, std::string(step) + " of two runs");
        }
    }
    contrasts.expect_none(100, 5);
}

TEST(Contrast, OfTheFirstMinuteFurtherDialogsAndRecordingsIsEnough) {
    Contrasts contrasts;
    for (const ThemeKind kind : both) {
        Opening opening = Harness::with_image("cat");
        opening.experiment.model = {};
        opening.state.dialog = "start";
        choose_runs(opening.state.learning, "skips");
        Harness h(std::move(opening), {1280, 720});
        turn_to(h, kind);
        h.tap("start.first_minute");
        contrasts.look_at(h, "the first minute");
        for (const char* const dialog : {"own", "own_folder", "camera", "save_as", "open_session", "open_lesson"}) {
            h.carry_out(command::ShowDialog{dialog});
            h.settle();
            contrasts.look_at(h, dialog);
        }
        h.carry_out(command::ShowDialog{"glossary"});
        h.settle();
        for (const char letter : std::string("token")) h.input.character(static_cast<unsigned char>(letter));
        h.frame(8);
        contrasts.look_at(h, "an answer of the glossary");
        h.carry_out(command::ShowDialog{});
        h.carry_out(command::EnterRoom{"learn"});
        h.settle();
        h.carry_out(command::Do{"learn.recorded_runs"});
        h.settle();
        contrasts.look_at(h, "a recording");
    }
    contrasts.expect_none(200, 10);
}

TEST(Contrast, IsEnoughInOtherLanguagesOnALargeScreen) {
    Contrasts contrasts;
    for (const char* const language : {"ja", "ko"}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1920, 1080});
        for (const ThemeKind kind : both) {
            turn_to(h, kind);
            for (const char* const step : {"image", "attention", "layer_norm", "prediction"}) {
                go_to(h, step);
                contrasts.look_at(h, std::string(step) + " in " + language);
            }
            for (const char* const room : {"learn", "exercise", "text", "laboratory"}) {
                h.carry_out(command::EnterRoom{room});
                h.settle();
                contrasts.look_at(h, std::string(room) + " in " + language);
            }
            h.carry_out(command::EnterRoom{"explore"});
            for (const char* const dialog : {"start", "help", "lessons", "language", "take_away"}) {
                h.carry_out(command::ShowDialog{dialog});
                h.settle();
                contrasts.look_at(h, std::string(dialog) + " in " + language);
            }
            h.carry_out(command::ShowDialog{});
        }
    }
    contrasts.expect_none();
}

// ---- animation off
// ----------------------------------------------------------------------------------------------------

/// All that a frame draws, to be compared with another one.
std::vector<float> drawing_of_frame() {
    std::vector<float> all;
    for (const Triangle& t : drawn_triangles())
        for (int k = 0; k < 3; ++k) {
            all.push_back(t.at[k].x);
            all.push_back(t.at[k].y);
            all.push_back(static_cast<float>(t.color[k]));
        }
    return all;
}

/// Without animation a frame is drawn as the one a second before, once what is told has had its time.
void expect_still(Harness& h, const std::string& where) {
    ImGuiIO& io = ImGui::GetIO();
    const float usual = std::exchange(io.DeltaTime, 10.0F);
    h.frame(2);
    io.DeltaTime = usual;
    h.wait_until([&] { return !h.app->busy(); });  // thumbnails come one by one
    h.frame(3);
    const std::vector<float> before = drawing_of_frame();
    io.DeltaTime = 0.7F;
    h.frame();
    EXPECT_TRUE(drawing_of_frame() == before) << "something moves in " << where;
    h.frame();
    EXPECT_TRUE(drawing_of_frame() == before) << "something moves in " << where;
    io.DeltaTime = usual;
}

TEST(Animation, OffLeavesEveryScreenStill) {
    Opening opening = Harness::with_image("cat");
    opening.state.settings.motion = false;
    Harness h(std::move(opening), {1280, 720});
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        expect_still(h, std::string(step.id));
    }
    h.carry_out(command::EnterRoom{"laboratory"});
    for (const auto& [instrument, name] : instrument_names) {
        h.change().focus().lab.instrument = instrument;
        h.settle();
        expect_still(h, std::string("lab ") + name);
    }
    for (const char* const room : {"learn", "exercise"}) {
        h.carry_out(command::EnterRoom{room});
        h.settle();
        expect_still(h, room);
    }
    h.carry_out(command::EnterRoom{"text"});
    h.settle();
    for (const auto& [chapter, name] : text_chapter_names) {
        enter(h, chapter);
        expect_still(h, std::string("text ") + name);
    }
    h.carry_out(command::EnterRoom{"explore"});
    for (const char* const dialog : {"start", "find", "help", "lessons", "language", "glossary", "references", "own",
                                     "take_away", "get_model", "open_image", "open_model", "camera", "save_as"}) {
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
        expect_still(h, dialog);
    }
    h.carry_out(command::ShowDialog{});
    begin_lecture(h);
    expect_still(h, "a lecture");
}

TEST(Animation, OffStopsTheTextCursorThatBlinks) {
    for (const bool motion : {true, false}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.motion = motion;
        Harness h(std::move(opening), {1280, 720});
        h.carry_out(command::ShowDialog{"find"});
        h.settle();
        h.frame(10);
        ImGui::GetIO().DeltaTime = 0.1F;
        bool blinks = false;
        const std::vector<float> before = drawing_of_frame();
        for (int i = 0; i < 20; ++i) {
            h.frame();
            blinks = blinks || drawing_of_frame() != before;
        }
        EXPECT_EQ(blinks, motion);
    }
}

}  // namespace
}  // namespace vitrine
