#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/lecture/notes.h"
#include "app/library/library.h"
#include "app/ui/languages.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(Shell, ThePictureAndTheModelAreCalledInTheLanguageOfTheWindow) {
    Opening opening;
    opening.experiment.image = {"cat", {}};
    Harness h(std::move(opening));
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.item("top.model").text, "Picture book");
    for (const char* const language : {"ja", "ko"}) {
        h.change()->settings.language = language;
        h.frame(3);
        EXPECT_EQ(h.item("top.image").text, h.app->text()("class.cat"));
        EXPECT_NE(h.item("top.image").text, "cat");
        EXPECT_EQ(h.item("top.model").text, h.app->text()("model.model"));
        EXPECT_EQ(h.app->title(), h.app->text()("class.cat") + " – Vitrine");
    }
    EXPECT_EQ(h.result().image->name, "cat") << "files and commands call it as they did";
}

TEST(Shell, NothingInTheTopBarLiesOverAnotherHoweverLittleRoomThereIs) {
    struct Display {
        ImVec2 size;
        float scale;
    };
    for (const Display& display : {Display{{800, 600}, 2}, {{1024, 700}, 1.5F}, {{1280, 720}, 1}, {{3840, 2160}, 1}}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(display.size.x)));
        Opening state = Harness::with_image("cat");
        state.state.settings.scale = display.scale;
        Harness h(std::move(state), display.size);
        std::vector<std::pair<std::string, Rect>> items;
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("top.") && id != "top.selection" && item.visible) items.emplace_back(id, item.rect);
        EXPECT_GT(items.size(), 3U);
        for (std::size_t i = 0; i < items.size(); ++i)
            for (std::size_t j = i + 1; j < items.size(); ++j)
                EXPECT_FALSE(items[i].second.inset(1).overlaps(items[j].second.inset(1)))
                    << items[i].first << " lies over " << items[j].first;
    }
}

TEST(Shell, AStopThatShowsTheSameStepBeginsItsMotionAnew) {
    const TestFolder folder;
    std::ofstream(folder / "l.txt") << "lesson: twice\nstep: residual\nstep: residual\nblock: 2\n";
    Harness h;
    h.app->open({folder / "l.txt"});
    h.frame(60);
    h.settle();
    h.press(Key::space);
    h.frame(100);
    ASSERT_EQ(h.app->workspace().motion.time, 1.0F);
    h.press(Key::space);
    EXPECT_EQ(h.focus().block, 2);
    EXPECT_TRUE(h.app->workspace().motion.waits);
}

TEST(Shell, KeysOfTheWindowAreSilentWhileNotesAreWritten) {
    Harness h;
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    const std::string key = notes_key(h.app->state(), h.focus());
    h.tap("notes.edit");
    h.tap("notes.text");
    const int step = h.focus().step;
    h.type("My own words");
    h.press(Key::k, Key::ctrl);
    h.press(Key::right);
    EXPECT_EQ(h.focus().step, step);
    EXPECT_EQ(h.app->state().dialog, "");
    const auto& notes = h.app->state().settings.notes;
    ASSERT_EQ(notes.size(), 1U) << "one place's notes only";
    EXPECT_EQ(notes.begin()->first, key);
    EXPECT_NE(notes.at(key).find("My own words"), std::string::npos) << notes.at(key);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().step, step) << "Ctrl Z is the text's";
    EXPECT_EQ(notes.at(key).find("My own words"), std::string::npos) << notes.at(key);
}

TEST(Shell, NotesMayBeLongAndEscapeKeepsThem) {
    Harness h;
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    const std::string key = notes_key(h.app->state(), h.focus());
    h.app->ask(command::SetNotes{key, std::string(6000, 'x')});
    h.frame(2);
    h.tap("notes.edit");
    h.tap("notes.text");
    h.type("end");
    EXPECT_EQ(h.app->state().settings.notes.at(key).size(), 6003U);
    h.press(Key::escape);
    EXPECT_EQ(h.app->state().settings.notes.at(key).size(), 6003U);
    EXPECT_EQ(h.app->state().lecture.editing, "");
    EXPECT_TRUE(h.app->state().lecture.on) << "Escape ends the writing, not the lecture";
}

TEST(Shell, OpeningTheNotesMakesThemNobodysOwn) {
    Harness h;
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    h.tap("notes.edit");
    h.tap("notes.edit");
    EXPECT_TRUE(h.app->state().settings.notes.empty()) << "the notes of another language would be frozen";
}

TEST(Shell, NotesComeAndGoInALecture) {
    for (const char* const step : {"image", "attention", "models"}) {
        Harness h;
        h.change().focus().step = step_index(step);
        h.settle();
        h.press(Key::l);
        h.frame(60);
        h.press(Key::right);
        h.press(Key::n);
        EXPECT_TRUE(h.shows("lecture.notes"));
        h.press(Key::n);
        EXPECT_FALSE(h.shows("lecture.notes"));
    }
}

TEST(Shell, BehindABlackScreenNothingMoves) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    h.press(Key::l);
    h.frame(40);
    const int step = h.focus().step;
    h.press(Key::b);
    ASSERT_TRUE(h.app->state().lecture.black);
    h.press(Key::right);
    h.press(Key::x);
    h.press(Key::f1);
    h.press(Key::tab);
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->state().dialog, "");
    h.press(Key::escape);
    EXPECT_FALSE(h.app->state().lecture.black);
    EXPECT_TRUE(h.app->state().lecture.on);
}

TEST(Shell, AModelWhoseFileHasChangedIsOfferedAndReadAnew) {
    const TestFolder folder;
    for (const char* const name : {"config.json", "model.safetensors"})
        std::filesystem::copy(std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf" / name, folder / name);
    Harness h;
    h.app->open({folder.path()});
    h.frame(2);
    h.settle();
    const auto before = h.app->shown().result->model;
    h.tap("map.mlp.switch");
    EXPECT_FALSE(h.shows("model.changed"));
    const auto file = folder / "model.safetensors";
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(5));
    h.frame(70);  // it looks once a second
    ASSERT_TRUE(h.shows("model.changed"));
    h.tap("model.reload");
    EXPECT_NE(h.app->shown().result->model, before);
    EXPECT_EQ(h.what_ifs().size(), 1U) << "what is switched off stays off";
    h.frame(70);
    EXPECT_FALSE(h.shows("model.changed"));
}

TEST(Shell, TwoWorkspacesHaveEachTheirOwnExperimentResultAndSelection) {
    Harness h;
    h.tap("map.mlp.switch");
    h.door().workspaces.add();
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.frame(2);
    h.settle();
    h.door().workspaces.side_by_side.linked = false;
    h.press(Key::down);
    EXPECT_EQ(h.item("top.image").text, "mug");
    EXPECT_EQ(h.focus().block, 2);
    Workspaces& all = h.door().workspaces;
    ASSERT_EQ(all.all().size(), 2U);
    const Workspace& first = all.all()[0];
    const Workspace& second = all.all()[1];
    EXPECT_EQ(first.shown.result->image->name, "cat");
    EXPECT_EQ(second.shown.result->image->name, "mug");
    EXPECT_EQ(first.selection.focus.block, 1);
    EXPECT_EQ(first.shown.result->model, second.shown.result->model) << "weights lie in memory once";
    all.show(0);
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "cat");
}

TEST(Shell, OpeningWeightsCanBeCancelledAlsoWhereNothingIsShownYet) {
    std::atomic<bool> held = false;
    std::atomic<Inference*> inference = nullptr;
    const auto hold_while_weights_are_opened = [&] {
        while (held && inference.load()->latest(2).activity.stage == Stage::loading_model)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    Harness h(Harness::with_image("cat"), {1920, 1080}, hold_while_weights_are_opened);
    inference = &h.app->context().jobs().of<Inference>();
    Workspace& second = h.door().workspaces.add();
    ASSERT_EQ(second.id, 2);
    for (int again = 0; again < 2; ++again) {
        ASSERT_TRUE(second.shown.result) << "what the first one shows, or what was shown";
        second.experiment.model = {golden_folder / "models/tiny_hf", {}};
        held = true;
        h.wait_until([&] { return h.shows("waiting.cancel"); });
        if (h.shows("waiting.cancel")) h.hover("waiting.cancel");
        h.input.button(0, true);
        h.input.button(0, false);
        h.frame(4);
        held = false;
        h.settle();
        ASSERT_TRUE(second.shown.result);
        EXPECT_EQ(second.shown.result->experiment, second.experiment);
        EXPECT_TRUE(second.experiment.model.path.empty()) << "the bundled model, or what was shown";
        EXPECT_EQ(h.app->error(), "");
    }
}

TEST(Shell, TheLastWorkspaceCannotBeClosed) {
    Workspaces all;
    all.add();
    all.close(0);
    ASSERT_EQ(all.all().size(), 1U);
    EXPECT_EQ(all.visible().id, 2);
    all.close(0);
    EXPECT_EQ(all.all().size(), 1U);
}

TEST(Shell, AJobOfAWorkspaceThatIsNotVisibleGoesOn) {
    Harness h;
    h.door().workspaces.add();
    h.door().workspaces.all()[0].experiment.image = {"sun", {}};
    h.settle();
    EXPECT_EQ(h.door().workspaces.all()[0].shown.result->image->name, "sun");
    EXPECT_EQ(h.item("top.image").text, "cat");
}

TEST(Languages, AreSwitchedAtRunTimeAndKeepEverythingElse) {
    Harness h;
    h.change().focus().token = 20;
    h.frame(2);
    h.press(Key::g);
    h.tap("language.ja");
    h.press(Key::escape);
    EXPECT_EQ(h.item("map.patches").text, "パッチ");
    EXPECT_EQ(h.focus().token, 20);
    EXPECT_NE(h.app->text()("step.attention.words").find("（query）"), std::string::npos);
    h.press(Key::g);
    h.tap("language.terms");
    EXPECT_EQ(h.app->text()("step.attention.words").find("（query）"), std::string::npos);
    h.tap("language.ko");
    h.press(Key::escape);
    EXPECT_EQ(h.item("map.patches").text, "패치");
    EXPECT_EQ(h.item("top.0").text, "고양이");
}

TEST(Languages, LettersThatNoTableHoldsComeIntoTheFontsWhenTheyAreMet) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "鯨と龍.png";
    std::filesystem::copy_file(std::filesystem::path(VITRINE_SOURCE) / "tests/ui/images/cat.png", file,
                               std::filesystem::copy_options::overwrite_existing);
    Harness h;
    EXPECT_FALSE(has_glyph(ImGui::GetIO().FontDefault, 0x9F8D));
    h.app->open({file});
    h.settle();
    h.frame(3);
    EXPECT_TRUE(has_glyph(ImGui::GetIO().FontDefault, 0x9F8D)) << "龍";
}

TEST(TopBar, ItsIconsKeepTheirPlacesInEveryLanguageAndForEveryPatch) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        std::map<std::string, Rect> places;
        for (const std::string& language : language_codes())
            for (const int token : {0, 1, 150}) {
                Opening opening = Harness::with_image("cat");
                opening.state.settings.language = language;
                Harness h(std::move(opening), size);
                h.change().focus().token = token;
                h.settle();
                for (const char* const id : {"top.undo", "top.redo", "top.find", "top.theme", "top.language",
                                             "top.lessons", "top.export", "top.help"}) {
                    const Rect rect = h.item(id).rect;
                    const auto [place, is_new] = places.try_emplace(id, rect);
                    EXPECT_TRUE(is_new || place->second == rect) << id << " moves in " << language;
                }
            }
    }
}

}  // namespace
}  // namespace vitrine
