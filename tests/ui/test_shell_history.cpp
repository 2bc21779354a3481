#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/session.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/travel.h"
#include "core/measures/analysis.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

Moment looking_at_block(int block) {
    Moment moment;
    moment.focus.block = block;
    return moment;
}

TEST(History, AQuickLookAfterUndoKeepsTheMomentThatUndoWentTo) {
    for (const bool redo : {false, true}) {
        History history;
        for (int i = 0; i < 3; ++i) history.record(looking_at_block(i + 1), i);
        history.undo();
        if (redo) history.redo();
        history.record(looking_at_block(9), 2.3);
        EXPECT_EQ(history.undo().focus.block, redo ? 3 : 2);
    }
}

TEST(History, ATextIsUndoneLikeAPictureButASeriesOfLettersAtOnce) {
    History history;
    Moment moment;
    history.record(moment, 0);
    for (const char* const typed : {"T", "To", "Tom"}) {
        moment.text_experiment.texts[0] = typed;
        EXPECT_FALSE(history.here().same_as(moment)) << "what is computed of a text belongs to a moment";
        history.record(moment, history.can_undo() ? 5.2 : 5);
    }
    EXPECT_EQ(history.here().text_experiment.texts[0], "Tom");
    EXPECT_EQ(history.undo().text_experiment, TextExperiment());
    EXPECT_FALSE(history.can_undo());
}

/// A change in Explore, then two views of the Lab.
History changed_and_looked_at_in_the_laboratory() {
    History history;
    Moment moment;
    moment.room = "explore";
    history.record(moment, 0);
    moment.experiment.what_ifs = {remove_mlp(1)};
    history.record(moment, 10);
    moment.room = "laboratory";
    for (const int block : {2, 3}) {
        moment.focus.block = block;
        history.record(moment, 10.0 * block);
    }
    return history;
}

TEST(History, UndoPassesOverViewsOfAnotherRoomAndRedoReturnsToWhereItBegan) {
    const History history = changed_and_looked_at_in_the_laboratory();
    const std::optional<Travel> back = undo_in("explore", history);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->changed_in, "explore");
    EXPECT_TRUE(back->history.here().experiment.what_ifs.empty());
    EXPECT_FALSE(can_undo_in("explore", back->history));
    const std::optional<Travel> again = redo_in("explore", back->history);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->changed_in, "explore");
    EXPECT_TRUE(again->history.here().same_as(history.here())) << "exactly what was there";
    EXPECT_FALSE(can_redo_in("explore", again->history));
}

TEST(History, UndoTakesBackViewsInTheirOwnRoomOneByOne) {
    const History history = changed_and_looked_at_in_the_laboratory();
    std::optional<Travel> back = undo_in("laboratory", history);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->history.here().focus.block, 2);
    EXPECT_FALSE(can_redo_in("explore", back->history)) << "a view of the Lab is nothing to redo in Explore";
    EXPECT_TRUE(can_redo_in("laboratory", back->history));
}

/// A view that was already undone in its room stays undone.
TEST(History, RedoReturnsToWhereUndoBeganThoughMoreWasUndoneBefore) {
    const History history = changed_and_looked_at_in_the_laboratory();
    const std::optional<Travel> earlier = undo_in("laboratory", history);
    ASSERT_TRUE(earlier);
    const std::optional<Travel> back = undo_in("explore", earlier->history);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->history.here().experiment.what_ifs.empty());
    const std::optional<Travel> again = redo_in("explore", back->history);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->history.place(), earlier->history.place());
    const std::optional<Travel> last = redo_in("laboratory", again->history);
    ASSERT_TRUE(last);
    EXPECT_EQ(last->history.place(), history.place()) << "nothing is lost";
}

TEST(History, UndoHasNothingToTakeBackWhereOnlyAnotherRoomWasLookedAt) {
    History history;
    Moment moment;
    moment.room = "explore";
    history.record(moment, 0);
    moment.room = "laboratory";
    moment.focus.block = 2;
    history.record(moment, 10);
    EXPECT_FALSE(can_undo_in("explore", history));
    EXPECT_TRUE(can_undo_in("laboratory", history));
}

/// The first minute and a session are openings of their own.
TEST(History, UndoPassesOverAnOpeningOfAnotherRoomThatChangedOnlyTheView) {
    History history;
    Moment moment;
    moment.room = "explore";
    history.record(moment, 0);
    moment.opening = 1;
    moment.focus.block = 2;
    history.record(moment, 10);
    EXPECT_FALSE(can_undo_in("learn", history));
    EXPECT_TRUE(can_undo_in("explore", history));
    moment.opening = 2;
    moment.experiment.what_ifs = {remove_mlp(1)};
    history.record(moment, 20);
    moment.opening = 3;
    moment.focus.block = 3;
    history.record(moment, 30);
    const std::optional<Travel> back = undo_in("learn", history);
    ASSERT_TRUE(back) << "another run is a change, wherever it was opened";
    EXPECT_TRUE(back->history.here().experiment.what_ifs.empty());
    const std::optional<Travel> again = redo_in("learn", back->history);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->history.here().same_as(history.here()));
}

TEST(History, ForgetsWhatFailedWhereverItStands) {
    History history;
    for (const char* const sample : {"cat", "gone", "mug", "gone", "sun"}) {
        Moment moment;
        moment.experiment.image.sample = sample;
        history.record(moment, 0);
    }
    history.undo();
    Experiment failed;
    failed.image.sample = "gone";
    history.forget(failed);
    EXPECT_EQ(history.here().experiment.image.sample, "mug");
    EXPECT_EQ(history.redo().experiment.image.sample, "sun");
    history.undo();
    EXPECT_EQ(history.undo().experiment.image.sample, "cat");
    EXPECT_FALSE(history.can_undo());
}

TEST(Workspace, AWhatIfThatFailsIsNoMomentOfTheHistory) {
    Workspaces all;
    Workspace& w = all.visible();
    const auto shown = std::make_shared<Result>();
    shown->experiment = w.experiment;
    shown->model = std::make_shared<Model>();
    w.take_in({shown, nullptr, {}}, w.history);
    all.remember("explore", {}, 0);
    w.experiment.what_ifs = {remove_positions()};
    w.changed = true;
    all.remember("explore", {}, 1);
    ASSERT_TRUE(w.history.here().experiment == w.experiment);
    w.selection.focus.token = 3;
    w.changed = true;
    all.remember("explore", {}, 5);
    EXPECT_EQ(w.take_in({shown, std::make_shared<Failure>(Failure{w.experiment, "too little memory"}), {}}, w.history),
              "too little memory");
    EXPECT_TRUE(w.experiment == shown->experiment);
    EXPECT_TRUE(w.history.here().experiment == w.experiment);
    EXPECT_FALSE(w.history.can_undo());
}

TEST(Shell, UndoGoesBackToAPinnedNumberInAnotherChapterAndRedoStays) {
    Harness h;
    h.change().focus().step = step_index("layer_norm");
    h.settle();
    h.press(Key::down);
    h.frame(80);
    const Cell pinned{Quantity::q, 2, 0, 3, 4};
    Focus focus;
    focus.cell = pinned;
    h.app->ask(command::Look{focus_words({focus, TextExperiment()})});
    h.settle();
    ASSERT_EQ(h.focus().cell, pinned);
    h.frame(80);
    h.press(Key::right);
    const int after = h.focus().step;
    EXPECT_FALSE(h.focus().cell) << "another chapter lets it go";
    h.frame(80);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().step, step_index("layer_norm"));
    EXPECT_EQ(h.focus().cell, pinned) << "exactly what was there";
    h.frame(80);
    EXPECT_TRUE(h.app->workspace().history.can_redo());
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.focus().step, after);
    EXPECT_FALSE(h.focus().cell);
}

TEST(Shell, AFailedOpenIsNoMomentOfTheHistory) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->open({"/nowhere/broken.jpg"});
    h.frame(2);
    h.settle();
    EXPECT_NE(h.app->error(), "");
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    EXPECT_EQ(h.app->error(), "") << "an error does not lie over what was opened after it";
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->error(), "") << "undo tries nothing again that failed";
    h.press(Key::y, Key::ctrl);
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "mug");
}

TEST(Shell, UndoBeforeTheImageIsThereTakesBackTheOpeningAlone) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->ask(command::OpenImage{{"cat:3:hard:4096", {}}});
    h.frame(2);  // it is being drawn
    h.app->ask(command::Do{"undo"});
    h.frame(2);
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.what_ifs().size(), 1U) << "one step, not two";
}

TEST(Shell, WhatIsChangedInTheFrameOfAnUndoIsAStepOfItsOwn) {
    Harness h;
    for (const int block : {2, 3}) {
        h.app->ask(command::SetWhatIfs{{remove_head(block, 0)}});
        h.settle();
    }
    h.app->ask(command::Do{"undo"});
    h.app->ask(command::SetWhatIfs{{remove_positions()}});
    h.settle();
    ASSERT_EQ(h.what_ifs(), WhatIfs{remove_positions()});
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_head(2, 0)});
}

/// A session of another model, which is not there yet.
Session of_another_model(const Harness& h) {
    Session s = h.app->session();
    s.model = model_source("pictograms-small", {});
    s.image = {"pictograms:mug", {}};
    s.focus.block = 2;
    s.what_ifs = {"mlp:1"};
    return s;
}

TEST(Shell, ASessionThatIsStillOpeningIsSavedAsItWillBe) {
    Harness h;
    const Session s = of_another_model(h);
    h.app->restore(s);
    ASSERT_TRUE(h.app->workspace().arrival);
    EXPECT_EQ(h.app->session().what_ifs, s.what_ifs);
    EXPECT_EQ(h.app->session().focus, s.focus);
    EXPECT_EQ(h.app->session().image, s.image);
}

TEST(Shell, AnImageThatIsOpenedWhileASessionLoadsIsSeenAsTheSessionLooks) {
    Harness h;
    Session s = of_another_model(h);
    s.focus.step = step_index("mlp");
    h.app->restore(s);
    ASSERT_TRUE(h.app->workspace().arrival);
    h.app->ask(command::OpenImage{{"pictograms:sun", {}}});
    h.frame(2);
    h.settle();
    h.settle();
    EXPECT_EQ(h.app->error(), "");
    EXPECT_EQ(h.item("top.image").text, "sun");
    EXPECT_EQ(h.focus().step, step_index("mlp"));
    EXPECT_EQ(h.focus().block, 2);
    ASSERT_EQ(h.what_ifs().size(), 1U);
    EXPECT_EQ(to_word(h.what_ifs().front(), h.result().model->config), "mlp:1");
}

TEST(Shell, WhatIsOpenedAndCancelledIsNotTheSessionThatIsOpen) {
    const TestFolder folder;
    Harness h;
    const fs::path file = folder / "other.vitrine";
    save_session(of_another_model(h), file);
    const int before = h.app->workspace().opening;
    h.app->ask(command::OpenSession{file});
    h.app->ask(command::Do{"cancel"});
    h.settle();
    EXPECT_EQ(h.app->workspace().opening, before);
    EXPECT_EQ(h.app->workspace().experiment.image.sample, "cat");
}

TEST(Shell, AnImageThatIsOpenedFromARoomWithoutOneIsSeen) {
    Harness h;
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    EXPECT_EQ(h.app->state().room, "explore");
}

TEST(Shell, ALookThatCannotBeTakenWholeIsNotTaken) {
    Harness h;
    const Focus before = h.focus();
    h.app->ask(command::Look{{{"cell", "image:0.99999.0"}, {"block", "x"}}});
    h.frame(2);
    EXPECT_NE(h.app->error(), "");
    EXPECT_EQ(h.focus(), before);
}

TEST(Shell, UndoStaysInTheRoomWhereTheChangeWasMade) {
    Harness h;
    h.press(Key::f3);
    h.press(Key::right);
    h.frame(60);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::heads);
}

TEST(Shell, UndoThatLeavesTheRoomSaysWhereItLeads) {
    Harness h;
    h.tap("map.mlp.switch");
    h.frame(60);
    h.carry_out(command::EnterRoom{"text"});
    h.settle();
    h.frame(60);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->state().room, "explore");
    EXPECT_EQ(h.app->state().notice.rfind("Now in Explore", 0), 0U) << h.app->state().notice;
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.app->state().notice.find("Now in"), std::string::npos) << "in the same room: " << h.app->state().notice;
}

/// Choices in Train are not in the history, so undo there takes back nothing that was made elsewhere.
TEST(Shell, UndoInTrainLeavesWhatWasMadeElsewhere) {
    Harness h;
    h.tap("map.mlp.switch");
    h.frame(60);
    h.press(Key::f4);
    h.tap("learn.experiment.norms");
    h.frame(60);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_EQ(h.what_ifs().size(), 1U);
    h.tap("top.undo");
    EXPECT_EQ(h.app->state().room, "learn");
    h.press(Key::f2);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty()) << "in its own room it is taken back";
    h.press(Key::f4);
    h.press(Key::y, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->state().room, "learn");
}

TEST(Shell, UndoInExploreTakesBackItsChangeThoughTheLabWasLookedAtSince) {
    Harness h;
    h.tap("map.mlp.switch");
    h.frame(60);
    h.press(Key::f3);
    h.press(Key::right);
    const Instrument seen = h.focus().lab.instrument;
    h.frame(60);
    h.press(Key::f2);
    ASSERT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->state().room, "explore") << "it jumps nowhere";
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.what_ifs().size(), 1U);
    EXPECT_EQ(h.focus().lab.instrument, seen) << "exactly what was there";
    EXPECT_EQ(h.app->state().room, "explore");
}

TEST(Shell, ASessionOfTheSamePictureCanBeUndone) {
    const TestFolder folder;
    Harness h;
    Session s = h.app->session();
    s.focus.block = 3;
    s.what_ifs = {"mlp:2"};
    save_session(s, folder / "a.vitrine");
    h.app->open({folder / "a.vitrine"});
    h.frame(2);
    h.settle();
    ASSERT_EQ(h.focus().block, 3);
    ASSERT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().block, 1);
    EXPECT_TRUE(h.what_ifs().empty());
}

/// Opens files one after the other, each seen for a while.
void open_sessions(Harness& h, const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        h.app->open({file});
        h.frame(2);
        h.settle();
        h.frame(80);
    }
}

void carry_out(Harness& h, const std::string& command) {
    h.app->ask(command::Do{command});
    h.frame(2);
    h.settle();
}

/// Writes the session that is shown with another block.
void save_with_block(const Harness& h, int block, const fs::path& file) {
    Session s = h.app->session();
    s.focus.block = block;
    save_session(s, file);
}

TEST(Shell, SavingAfterUndoWritesTheSessionThatIsShown) {
    const TestFolder folder;
    const fs::path a = folder / "a.vitrine", b = folder / "b.vitrine";
    Harness h;
    save_with_block(h, 2, a);
    save_with_block(h, 3, b);
    open_sessions(h, {a, b});
    ASSERT_EQ(h.app->context().workspaces.own_session(), b);
    const Session before = load_session(b);
    carry_out(h, "undo");
    ASSERT_EQ(h.focus().block, 2);
    EXPECT_EQ(h.app->context().workspaces.own_session(), a);
    h.change().focus().token = 7;
    carry_out(h, "save");
    EXPECT_EQ(load_session(b), before);
    EXPECT_EQ(load_session(a).focus.token, 7);
    carry_out(h, "redo");
    EXPECT_EQ(h.focus().block, 3);
    EXPECT_EQ(h.app->context().workspaces.own_session(), b);
}

TEST(Shell, AnEarlierMomentOfASessionIsSavedInItsFile) {
    const TestFolder folder;
    const fs::path a = folder / "a.vitrine";
    Harness h;
    save_with_block(h, 2, a);
    open_sessions(h, {a});
    h.tap("map.mlp.switch");
    carry_out(h, "save");
    ASSERT_EQ(load_session(a).what_ifs.size(), 1U);
    carry_out(h, "undo");
    carry_out(h, "save");
    EXPECT_TRUE(load_session(a).what_ifs.empty());
}

TEST(Shell, WhatAKilledWindowHasLeftIsNotSavedOverTheSessionThatWasOpen) {
    const TestFolder folder;
    const fs::path talk = folder / "talk.vitrine", left = folder / "left.vitrine";
    Harness h;
    h.change()->settings.export_folder = folder.path().string();
    save_with_block(h, 2, talk);
    save_with_block(h, 3, left);
    const Session before = load_session(talk);
    open_sessions(h, {talk});
    h.door().state.left = {kept_session(left)};
    carry_out(h, "recover");
    ASSERT_EQ(h.focus().block, 3);
    EXPECT_EQ(h.app->context().workspaces.own_session(), fs::path());
    carry_out(h, "save");
    EXPECT_EQ(h.app->state().dialog, "save_as");
    EXPECT_EQ(load_session(talk), before);
}

TEST(Shell, WhatIsContinuedIsNotSavedOverTheSessionThatWasOpen) {
    const TestFolder folder;
    const fs::path talk = folder / "talk.vitrine", last = folder / "last.vitrine";
    Harness h;
    h.change()->settings.export_folder = folder.path().string();
    save_with_block(h, 2, talk);
    save_with_block(h, 3, last);
    const Session before = load_session(talk);
    open_sessions(h, {talk});
    h.door().state.last = kept_session(last);
    carry_out(h, "continue");
    ASSERT_EQ(h.focus().block, 3);
    carry_out(h, "save");
    EXPECT_EQ(h.app->state().dialog, "save_as");
    EXPECT_EQ(load_session(talk), before);
}

TEST(Shell, WhatIsLeftStaysWhereItsModelHasNoSuchPart) {
    const TestFolder folder;
    Harness h;
    Session s = h.app->session();
    s.what_ifs = {"head:9.1"};
    save_session(s, folder / "left.vitrine");
    h.door().state.left = {kept_session(folder / "left.vitrine")};
    carry_out(h, "recover");
    EXPECT_NE(h.app->error().find("head:9.1"), std::string::npos) << h.app->error();
    EXPECT_TRUE(fs::exists(folder / "left.vitrine"));
}

void save_random_model(const fs::path& folder, int blocks, int heads) {
    Config c;
    c.image_height = c.image_width = 32;
    c.patch_size = 8;
    c.embedding_dim = 16;
    c.heads = heads;
    c.blocks = blocks;
    c.mlp_dim = 32;
    c.classes = 10;
    save_model(random_model(c, 1), folder, Precision::f32);
}

TEST(Shell, ASmallerModelThatIsReadAnewKeepsTheWhatIfsOfPartsThatItHas) {
    const TestFolder folder;
    save_random_model(folder.path(), 3, 4);
    Harness h;
    h.app->open({folder.path()});
    h.frame(2);
    h.settle();
    ASSERT_EQ(h.result().model->config.blocks, 3);
    h.change()->what_ifs = {remove_head(1, 0), remove_head(2, 3), remove_mlp(3)};
    h.settle();
    save_random_model(folder.path(), 2, 2);
    h.frame(70);  // it looks once a second
    ASSERT_TRUE(h.app->state().model_changed);
    carry_out(h, "reload_model");
    ASSERT_EQ(h.result().model->config.blocks, 2);
    EXPECT_TRUE(h.what_ifs() == WhatIfs{remove_head(1, 0)});
    EXPECT_NO_THROW(what_ifs_of(h.app->session(), h.result().model->config));
    EXPECT_EQ(h.app->error(), "");
}

TEST(Shell, ARecoveryThatFailsIsOfferedAgain) {
    const TestFolder folder;
    Harness h;
    std::ofstream(folder / "left.vitrine") << "no session";
    h.door().state.left = {kept_session(folder / "left.vitrine")};
    h.app->ask(command::Do{"recover"});
    h.frame(2);
    EXPECT_NE(h.app->error(), "");
    EXPECT_EQ(h.app->state().left.size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(folder / "left.vitrine"));
}

TEST(Shell, OfTwoWhatIfsOfAKindThatAreAskedForTheLastHoldsAndASessionKeepsIt) {
    Harness h({Harness::with_image("cat")});
    const Config& config = h.result().model->config;
    const Intervention last = parse_intervention("shuffle:59", config);
    h.app->ask(command::SetWhatIfs{{parse_intervention("shuffle:99", config), last}});
    h.settle();
    EXPECT_EQ(h.app->workspace().experiment.what_ifs, std::vector{last});
    const Session kept = h.app->session();
    h.app->restore(parse_session(to_json(kept), "session"));
    h.settle();
    EXPECT_EQ(to_json(h.app->session()), to_json(kept));
}

}  // namespace
}  // namespace vitrine
