#include <gtest/gtest.h>

#include <string>

#include "app/rooms/exercise/exercise.h"
#include "app/rooms/learning/learning_state.h"
#include "tests/ui/contrast.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/presenter_screen.h"
#include "tests/ui/text_room.h"

// Contrast of every screen in both themes.

namespace vitrine {
namespace {

TEST(Contrast, OfFaintCurvesIsEnough) {
    for (const ThemeKind kind : both_themes)
        for (const Color surface : surfaces_of(palette_of(kind)))
            for (const Color mark : marks_of(palette_of(kind)))
                EXPECT_GE(contrast(over(surface, mark.with_alpha(faint_curve)), surface), 3.0);
}

TEST(Contrast, OfAllStepsIsEnough) {
    Contrasts contrasts;
    Harness h(Harness::with_image("cat"), {1280, 720});
    for (const ThemeKind kind : both_themes) {
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
        for (const ThemeKind kind : both_themes) {
            turn_to(h, kind);
            contrasts.look_at(h, std::string("lab ") + name);
        }
    }
    contrasts.expect_none();
}

TEST(Contrast, OfAllChaptersOfTextsIsEnough) {
    Contrasts contrasts;
    Harness h(in_the_text_room(), {1280, 720});
    for (const ThemeKind kind : both_themes) {
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
    for (const ThemeKind kind : both_themes) {
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
    for (const ThemeKind kind : both_themes) {
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
    for (const ThemeKind kind : both_themes) {
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
    for (const ThemeKind kind : both_themes) {
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
        for (const ThemeKind kind : both_themes) {
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

}  // namespace
}  // namespace vitrine
