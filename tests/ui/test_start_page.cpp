#include <gtest/gtest.h>

#include <fstream>

#include "app/sessions/kept_sessions.h"
#include "app/workspace/recent.h"
#include "tests/test_folder.h"
#include "tests/ui/drawn_words.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

bool contains_file(const std::vector<KeptSession>& sessions, const fs::path& file) {
    return std::ranges::find(sessions, file, &KeptSession::file) != sessions.end();
}

constexpr const char* beginnings[] = {"start.first_minute", "start.tour",  "start.lesson", "start.photo",
                                      "start.get_model",    "start.learn", "start.text",   "start.continue"};

Opening with_page() {
    Opening opening = Harness::with_image("cat");
    opening.state.dialog = "start";
    return opening;
}

TEST(StartPage, HasItsBeginningsAndNothingElse) {
    Harness h(with_page());
    for (const char* const id : beginnings) EXPECT_TRUE(h.item(id).visible) << id;
    for (const auto& [id, item] : h.app->probe().items())
        if (item.visible && !id.starts_with("start.") && id != "dialog" && id != "dialog.close") {
            const auto& order = h.app->keyboard_focus().order();
            EXPECT_EQ(std::ranges::find(order, id), order.end()) << id << " can be pressed beside the page";
        }
    EXPECT_FALSE(h.shows("start.image.0")) << "nothing was open before";
}

TEST(StartPage, IsAKeyAndAPlaceInTheTopBarAway) {
    Harness h;
    h.press(Key::home);
    EXPECT_EQ(h.app->state().dialog, "start");
    h.press(Key::home);
    EXPECT_EQ(h.app->state().dialog, "") << "the same key closes it";
    h.tap("top.start");
    EXPECT_EQ(h.app->state().dialog, "start");
    h.press(Key::escape);
    EXPECT_EQ(h.app->state().dialog, "");
    h.press(Key::l);
    h.press(Key::home);
    EXPECT_EQ(h.app->state().dialog, "") << "in a lecture it leads to the beginning";
}

TEST(StartPage, SaysThatItContinuesOnlyWhereThereIsSomethingToContinue) {
    Harness first(with_page());
    EXPECT_EQ(first.item("start.continue").text, "Begin with this picture");
    Opening opening = with_page();
    opening.state.last = KeptSession{};
    opening.state.last->image = "dog";
    Harness again(std::move(opening));
    EXPECT_EQ(again.item("start.continue").text, "Continue where you left off");
}

TEST(StartPage, TellsTheWholeOfALongTextThatItCuts) {
    const std::string whole = "The dog did not eat the apple because it was much too tired.";
    Opening opening = with_page();
    opening.state.last = KeptSession{};
    opening.state.last->image = whole;
    opening.state.last->place = "text.mask.title";
    Harness h(std::move(opening), {1280, 720});
    EXPECT_EQ(h.item("start.continue.sentence").text.find(whole), std::string::npos);
    h.hover("start.continue");
    h.frame(60);
    EXPECT_NE(h.item("tooltip").text.find(whole), std::string::npos) << h.item("tooltip").text;
    opening = with_page();
    opening.state.last = KeptSession{};
    opening.state.last->image = "cat";
    opening.state.last->place = "step.attention.title";
    Harness short_one(std::move(opening), {1280, 720});
    short_one.hover("start.continue");
    short_one.frame(60);
    EXPECT_FALSE(short_one.shows("tooltip")) << "it is all there";
}

TEST(StartPage, AnEntryThatHasTheFocusAtTheOpeningHasNoTooltipUntilAKeyComesToIt) {
    Opening opening = with_page();
    opening.state.left.emplace_back();
    opening.state.left.front().image = "The dog did not eat the apple because it was much too tired.";
    opening.state.left.front().place = "text.mask.title";
    Harness h(std::move(opening), {1280, 720});
    h.frame(80);
    ASSERT_EQ(h.app->keyboard_focus().focused(), "start.recover");
    EXPECT_FALSE(h.shows("tooltip")) << "it would cover the switch below";
    h.strike(Key::tab, Key::shift);
    h.strike(Key::tab);
    h.frame(80);
    ASSERT_EQ(h.app->keyboard_focus().focused(), "start.recover");
    EXPECT_TRUE(h.shows("tooltip"));
}

TEST(StartPage, EveryBeginningLeadsWhereItSays) {
    const auto tapped = [](const char* id) {
        auto h = std::make_unique<Harness>(with_page());
        h->tap(id);
        return h;
    };
    const auto tour = tapped("start.tour");
    EXPECT_TRUE(tour->app->state().lecture.on);
    EXPECT_EQ(tour->app->state().lecture.lesson->source, "tour");
    EXPECT_EQ(tapped("start.lesson")->app->state().dialog, "lessons");
    const auto photo = tapped("start.photo");
    EXPECT_EQ(photo->app->state().dialog, "open_image");
    EXPECT_EQ(photo->focus().step, step_index("image")) << "a photo is seen from its pixels on";
    EXPECT_EQ(tapped("start.get_model")->app->state().dialog, "get_model");
    EXPECT_EQ(tapped("start.learn")->app->state().room, "learn");
    EXPECT_EQ(tapped("start.text")->app->state().room, "text");
    const auto on = tapped("start.continue");
    EXPECT_EQ(on->app->state().dialog, "");
    EXPECT_EQ(on->app->state().room, "explore");
}

TEST(StartPage, IsWalkedByTheKeyboardAlone) {
    Harness h(with_page());
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.first_minute") << "Enter begins the first minute";
    for (int i = 1; i < 7; ++i) {
        h.press(Key::down);
        EXPECT_EQ(h.app->keyboard_focus().focused(), beginnings[i]);
    }
    h.press(Key::down);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.continue");
    h.press(Key::up);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.text");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_EQ(h.app->state().dialog, "");
}

TEST(StartPage, ContinuesWhereTheLastWindowWas) {
    const TestFolder folder;
    Opening opening = with_page();
    Session s;
    s.image = {"pictograms:sun", {}};
    s.model.bundled = "pictograms-small";
    s.focus.step = step_index("mlp");
    save_session(s, last_session_file(folder.path()));
    opening.state.last = kept_session(last_session_file(folder.path()));
    Harness h(std::move(opening));
    h.tap("start.continue");
    EXPECT_EQ(h.item("top.image").text, "sun");
    EXPECT_EQ(h.focus().step, step_index("mlp"));
    EXPECT_EQ(h.app->context().workspaces.own_session(), fs::path()) << "Ctrl S does not write there";
    h.press(Key::home);
    h.tap("start.continue");
    EXPECT_EQ(h.focus().step, step_index("mlp")) << "later it means what is open";
}

TEST(StartPage, ListsWhatWasOpenBefore) {
    const TestFolder folder;
    const fs::path image = folder / "photo.ppm", lesson = folder / "mine.txt", session = folder / "my night.vitrine";
    std::ofstream(image, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    std::ofstream(lesson) << "lesson: Mine\nstep: patches\n";
    Harness h;
    save_session(h.app->session(), session);
    remember(h.change()->settings, FileKind::image, folder / "gone.png");
    remember(h.change()->settings, FileKind::image, image);
    remember(h.change()->settings, FileKind::lesson, lesson);
    remember(h.change()->settings, FileKind::session, session);
    remember(h.change()->settings, FileKind::model, folder.path());
    h.press(Key::home);
    EXPECT_TRUE(h.shows("start.image.0"));
    EXPECT_FALSE(h.shows("start.image.1")) << "what is gone is not listed";
    EXPECT_EQ(h.item("start.session.0").text, "my night");
    EXPECT_TRUE(h.item("start.session.0.aside").text.starts_with("cat · Image · "));
    EXPECT_EQ(h.item("start.lesson.0").text, "Mine");
    EXPECT_TRUE(h.shows("start.model.0"));
    h.tap("start.image.0");
    EXPECT_EQ(h.item("top.image").text, "photo.ppm");
    h.press(Key::home);
    h.tap("start.session.0");
    EXPECT_EQ(h.item("top.image").text, "cat");
    h.press(Key::home);
    h.tap("start.lesson.0");
    EXPECT_TRUE(h.app->state().lecture.on);
}

TEST(StartPage, NamesARescuedSessionByWhatItHolds) {
    const TestFolder folder;
    Harness h;
    const fs::path rescued = folder / "autosave-0a1b.vitrine", named = folder / "autosave of mine.vitrine";
    for (const fs::path& file : {rescued, named}) save_session(h.app->session(), file);
    const SessionWords words = named_words_of(h.app->text(), kept_session(rescued));
    EXPECT_TRUE(words.name.starts_with("cat · Image · "));
    EXPECT_EQ(words.aside, "");
    EXPECT_EQ(named_words_of(h.app->text(), kept_session(named)).name, "autosave of mine");
}

/// A page with what two killed windows have left: the sun and the mug.
class Rescue : public testing::Test {
protected:
    Opening opening() {
        Opening opening = with_page();
        Session s;
        s.model.bundled = "pictograms-small";
        s.focus.step = step_index("attention");
        for (const fs::path& file : {sun, mug}) {
            s.image = {file == sun ? "pictograms:sun" : "pictograms:mug", {}};
            save_session(s, file);
            opening.state.left.push_back(kept_session(file));
        }
        return opening;
    }

    const TestFolder folder;
    const fs::path sun = folder / "autosave-01.vitrine", mug = folder / "autosave-02.vitrine";
};

TEST_F(Rescue, HasAPlaceOfItsOwnThatMovesNoRowAndBringsBackAtOnce) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness without(with_page(), size), with(opening(), size);
        EXPECT_FALSE(without.shows("start.recover"));
        for (const char* const id : beginnings) EXPECT_EQ(with.item(id).rect, without.item(id).rect) << id;
        EXPECT_GT(with.item("start.recover").rect.y0, with.item("start.continue").rect.y1);
        EXPECT_LT(with.item("start.recover").rect.y1, with.item("start.always").rect.y0);
        with.expect_readable("the start page");
    }
    Harness h(opening(), {1280, 720});
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.recover");
    h.tap("start.recover");
    EXPECT_EQ(h.item("top.image").text, "sun");
    EXPECT_EQ(h.focus().step, step_index("attention"));
    EXPECT_EQ(h.app->state().dialog, "");
    EXPECT_FALSE(fs::exists(sun));
    h.press(Key::home);
    h.tap("start.decline");
    EXPECT_EQ(h.app->state().dialog, "start") << "the page stays";
    EXPECT_FALSE(h.shows("start.recover"));
    EXPECT_TRUE(fs::exists(mug)) << "while there is a way back";
    h.press(Key::escape);
    EXPECT_FALSE(fs::exists(mug));
}

TEST_F(Rescue, DiscardingIsUndoneByTheRowInItsPlaceOrByTheKey) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Opening page = opening();
        page.state.left.pop_back();
        const KeptSession kept = page.state.left.front();
        Harness h(std::move(page), size);
        const Rect row = h.item("start.recover").rect;
        EXPECT_GE(h.item("start.decline").rect.x0 - row.x1, 8) << "apart from what opens the session";
        for (const bool by_key : {false, true}) {
            h.double_tap("start.decline");
            EXPECT_EQ(h.item("top.image").text, "cat") << "a second click hits nothing";
            EXPECT_TRUE(h.app->state().left.empty());
            EXPECT_EQ(h.item("start.discarded").rect, row) << "in its place";
            h.app->take_in(arrival::Left{folder.path()});
            EXPECT_FALSE(contains_file(h.app->state().left, sun)) << "it is not offered as a new one";
            std::erase_if(h.door().state.left, [&](const KeptSession& other) { return other.file == mug; });
            h.expect_readable("the start page");
            by_key ? h.press(Key::z, Key::ctrl) : h.tap("start.discarded");
            EXPECT_EQ(h.app->state().dialog, "start");
            EXPECT_EQ(h.app->state().left, std::vector{kept});
            EXPECT_FALSE(h.shows("start.discarded"));
        }
    }
}

TEST_F(Rescue, WhatTheListDiscardsIsThereAsLongAsTheNoticeThatSaysSo) {
    Harness h(opening());
    for (const bool undone : {true, false}) {
        h.carry_out(command::ShowDialog{"recover"});
        h.settle();
        h.tap("recover.discard");
        EXPECT_EQ(h.app->state().dialog, "");
        EXPECT_NE(h.item("notice").text.find("Ctrl Z"), std::string::npos);
        EXPECT_TRUE(fs::exists(sun) && fs::exists(mug));
        if (undone) {
            h.press(Key::z, Key::ctrl);
            EXPECT_EQ(h.app->state().left.size(), 2U);
        }
    }
    h.app->take_in(arrival::Notice{});
    h.frame(2);
    EXPECT_FALSE(fs::exists(sun) || fs::exists(mug));
}

TEST_F(Rescue, DuringWorkThePageContinuesThatFirstAndWhatTakesItsPlaceSaysSo) {
    Harness h(opening());
    const Rect tour = h.item("start.tour").rect, at = h.item("start.continue").rect;
    h.press(Key::escape);
    h.press(Key::right);
    const int step = h.focus().step;
    h.press(Key::home);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.continue");
    EXPECT_EQ(h.item("start.continue").text, "Continue where you left off");
    EXPECT_EQ(h.item("start.tour").rect, tour) << "the order is the same";
    EXPECT_EQ(h.item("start.continue").rect, at);
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().dialog, "");
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.focus().step, step);
    h.press(Key::home);
    h.tap("start.recover");
    EXPECT_EQ(h.item("top.image").text, "sun");
    EXPECT_NE(h.app->state().notice.find("instead of your work"), std::string::npos) << h.app->state().notice;
    EXPECT_NE(h.app->state().notice.find("Ctrl Z"), std::string::npos);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "cat");
}

TEST(StartPage, IsNotTheBeginningOnceItWasLeft) {
    Harness h(with_page());
    EXPECT_EQ(h.item("start.continue").text, "Begin with this picture");
    h.press(Key::escape);
    h.app->take_in(arrival::Notice{"Kept as stop 1"});
    h.press(Key::home);
    EXPECT_EQ(h.item("start.continue").text, "Continue where you left off") << "though nothing can be undone";
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.continue");
    EXPECT_GT(h.item("notice").rect.width(), 80) << "a notice is read here, too";
}

TEST_F(Rescue, AnOlderSessionThanTheOpenOneIsNotOffered) {
    Opening page = opening();
    page.state.left[0].at = 2000;
    page.state.left[1].at = 1000;
    Harness h(std::move(page));
    h.tap("start.recover");
    EXPECT_EQ(h.app->state().notice, "") << "nothing took the place of work";
    h.press(Key::home);
    EXPECT_EQ(h.app->state().left.size(), 1U) << "nothing is deleted";
    EXPECT_FALSE(h.shows("start.recover"));
}

TEST_F(Rescue, WhatWasSavedAndNotChangedSinceIsNotOfferedAsLost) {
    Opening opening = with_page();
    Session s;
    s.model.bundled = "pictograms-small";
    s.image = {"pictograms:sun", {}};
    save_session(s, sun);
    s.time = 0.4F;  // of the motion, which goes on by itself
    const fs::path own = folder / "lecture.vitrine";
    save_session(s, own);
    s.image.sample = "pictograms:mug";
    save_session(s, mug);
    remember(opening.state.settings, FileKind::session, own);
    offer_recovery(opening.state, folder.path());
    ASSERT_EQ(opening.state.left.size(), 1U) << "what was changed since is";
    EXPECT_EQ(opening.state.left.front().file, mug);
    EXPECT_TRUE(fs::exists(own));
    EXPECT_FALSE(fs::exists(sun));
}

TEST_F(Rescue, IsNotOfferedAgainAfterAnotherBeginning) {
    Harness h(opening());
    h.tap("start.continue");
    EXPECT_EQ(h.app->state().dialog, "");
    h.app->take_in(arrival::Left{folder.path()});
    EXPECT_EQ(h.app->state().dialog, "");
    EXPECT_TRUE(fs::exists(sun)) << "it is still there for the taking";
    h.press(Key::home);
    EXPECT_TRUE(h.shows("start.recover"));
    h.tap("start.decline");
    EXPECT_EQ(h.app->state().dialog, "recover") << "of several their list";
}

TEST(StartPage, DrawsNothingWhileNothingHappens) {
    const TestFolder folder;
    const fs::path image = folder / "photo.ppm";
    std::ofstream(image, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    Opening opening = with_page();
    remember(opening.state.settings, FileKind::image, image);
    Harness h(std::move(opening));
    h.wait_until([&] { return !h.app->busy() && !h.app->context().jobs().busy(); });
    for (const std::time_t then = std::time(nullptr); std::time(nullptr) < then + 2;) {
        EXPECT_FALSE(h.app->busy());
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

TEST_F(Rescue, SaysWhetherThereIsSomethingNewToShow) {
    Opening page = opening();
    page.state.left.clear();
    EXPECT_TRUE(offer_recovery(page.state, folder.path()));
    EXPECT_EQ(page.state.left.size(), 2U);
    EXPECT_FALSE(offer_recovery(page.state, folder.path())) << "nothing new: no frame is drawn for it";
}

TEST(StartPage, IsSwitchedOffInItself) {
    Harness h(with_page());
    EXPECT_TRUE(h.app->state().settings.start_page);
    h.tap("start.always");
    EXPECT_FALSE(h.app->state().settings.start_page);
    EXPECT_EQ(h.app->state().dialog, "start");
}

TEST(StartPage, IsReadableInAnyLanguageAndSize) {
    const TestFolder folder;
    const fs::path image = folder / "a photograph with a long name.ppm";
    std::ofstream(image, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}, ImVec2{800, 600}}) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            remember(opening.state.settings, FileKind::image, image);
            opening.state.left = {{folder / "autosave-1.vitrine", "a photograph with a long name.ppm",
                                   "step.attention.title", std::time(nullptr)}};
            Harness h(std::move(opening), size);
            h.press(Key::home);
            EXPECT_TRUE(h.item("start.recover").visible);
            for (const char* const id : beginnings) EXPECT_TRUE(h.item(id).visible) << id;
            EXPECT_TRUE(h.item("start.always").visible);
            for (const std::string& pair : h.app->probe().overlaps())
                ADD_FAILURE() << pair << " overlap in " << language << " at " << size.x;
            for (const auto& [id, item] : h.app->probe().items())
                EXPECT_EQ(item.text.find("⟦"), std::string::npos) << item.text;
        }
}

/// What was lost with the window is said in whole, in the space that the page has.
TEST(StartPage, CutsNothingOfWhatWasLost) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
            const TestFolder folder;
            const fs::path image = folder / "recent.ppm";
            std::ofstream(image, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            remember(opening.state.settings, FileKind::image, image);
            KeptSession left{folder / "autosave-1.vitrine", "cat", "top.mode.learn", std::time(nullptr)};
            left.picture_runs.examples = 128'000;
            left.pictures = 7'040;
            left.sentences = 12'800;
            opening.state.left = {left};
            Harness h(std::move(opening), size);
            h.press(Key::home);
            const Rect row = h.item("start.recover.sentence").rect;
            std::string whole = training_notice(h.app->text(), left);
            std::erase(whole, ' ');
            const std::string drawn = drawn_words(h, row);  // after those of the window below the page
            EXPECT_TRUE(drawn.ends_with(whole)) << drawn << ", " << language << " at " << size.x;
            const Rect all = h.item("start.recover").rect;
            EXPECT_GE(row.y0, all.y0) << language << " at " << size.x;
            EXPECT_LE(row.y1, all.y1 + 1) << language << " at " << size.x;
            for (const std::string& pair : h.app->probe().overlaps())
                ADD_FAILURE() << pair << " overlap in " << language << " at " << size.x;
        }
}

/// The first picture is one in which every head of the chosen block has something to show.
TEST(FirstPicture, ShowsSomethingInEveryHead) {
    Harness h(first_opening());
    const auto block = h.result().trace.block(h.focus().block);
    const Config& c = h.result().model->config;
    std::vector<float> brightest;
    for (int head = 0; head < c.heads; ++head) {
        float most = 0;
        for (int token = 1; token < c.tokens(); ++token)
            most = std::max(most, block->attention(static_cast<std::size_t>(head), 0, static_cast<std::size_t>(token)));
        brightest.push_back(most);
    }
    const float range = *std::ranges::max_element(brightest);
    for (int head = 0; head < c.heads; ++head)
        EXPECT_GT(brightest[static_cast<std::size_t>(head)], 0.3F * range) << "head " << head;
    EXPECT_EQ(h.focus().step, step_index("attention"));
}

TEST(Hints, SayWhatOneCanDoAndAreSwitchedOffByOneSetting) {
    Harness h;
    go_to(h, "patches");
    h.change()->motion = {0, false};
    h.frame(2);
    EXPECT_EQ(h.item("stage.hint").text, h.app->text()("time.waits"));
    h.tap("stage.hint");
    h.frame(200);
    EXPECT_EQ(h.app->workspace().motion.time, 1) << "pressed it does what it says";
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        h.change()->motion = {1, false};
        h.frame(2);
        if (step.own.beside.words) {  // about a text tower, which this model has not
            EXPECT_FALSE(h.shows("stage.hint")) << step.id;
            continue;
        }
        EXPECT_EQ(h.item("stage.hint").text, h.app->text()("step." + std::string(step.id) + ".hint")) << step.id;
    }
    h.input.key(glfw_number(Key::shift), true);
    h.press(Key::h);
    h.input.key(glfw_number(Key::shift), false);
    h.frame(3);
    EXPECT_FALSE(h.app->state().settings.hints);
    EXPECT_FALSE(h.shows("stage.hint"));
    h.press(Key::g);
    h.tap("language.hints");
    EXPECT_TRUE(h.app->state().settings.hints);
}

}  // namespace
}  // namespace vitrine
