#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "app/frame/learning_commands.h"
#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/jobs/writer.h"
#include "app/rooms/learning/learning_state.h"
#include "app/sessions/autosave.h"
#include "app/sessions/closing.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/session_commands.h"
#include "core/training/runs/run_file.h"
#include "tests/files.h"
#include "tests/ui/drawn_words.h"
#include "tests/ui/taking_away.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST_F(TakingAway, ASessionOpensAgainAsItWas) {
    h->change().focus().lab.instrument = Instrument::compare;
    h->change().focus().lab.picks = {{1, 0, {}}, {3, 2, 12}};
    h->change().focus().lab.combine = Combine::difference;
    h->change().focus().token = 20;
    h->change().focus().block = 3;
    h->change().focus().cell = Cell{Quantity::q, 3, 1, 4, 5};
    h->change()->what_ifs = {remove_head(2, 1), remove_token(9)};
    h->settle();
    const Session before = h->app->session();
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    ASSERT_TRUE(fs::exists(folder / "cat-lab-compare.vitrine"));

    Opening other = Harness::with_image("mug");
    other.state.settings.export_folder = folder.string();
    h = nullptr;
    h = std::make_unique<Harness>(std::move(other));
    h->press(Key::e, Key::ctrl);
    h->tap("export.open.0");
    EXPECT_EQ(h->app->session(), before);
    EXPECT_EQ(h->what_ifs().size(), 2U);
    EXPECT_EQ(h->app->state().room, "laboratory");
    EXPECT_EQ(h->item("top.image").text, "cat");
}

TEST_F(TakingAway, ADroppedSessionIsOpenedAndABrokenOneIsTold) {
    fs::create_directories(folder);
    Session s = h->app->session();
    s.image = {"mug", {}};
    s.focus.lab.instrument = Instrument::lens;
    save_session(s, folder / "a.vitrine");
    h->app->open({folder / "a.vitrine"});
    h->settle();
    EXPECT_EQ(h->item("top.image").text, "mug");
    EXPECT_EQ(h->focus().lab.instrument, Instrument::lens);
    std::ofstream(folder / "b.vitrine") << "{\"vitrine_session\": 9}";
    h->app->open({folder / "b.vitrine"});
    h->settle();
    EXPECT_NE(h->app->error().find("b.vitrine: is not a session"), std::string::npos) << h->app->error();
    EXPECT_EQ(h->item("top.image").text, "mug") << "what was open stays";
}

TEST_F(TakingAway, WhatASessionAsksOfAModelThatHasItNotIsToldOrLeftOut) {
    Session s = h->app->session();
    s.focus.cell = Cell{Quantity::q, 3, 1, 4000, 5};
    s.focus.token = 900;
    h->app->restore(s);
    h->settle();
    EXPECT_FALSE(h->focus().cell);
    EXPECT_EQ(h->focus().token, 64);
    s.what_ifs = {"head:9.1"};
    h->app->restore(s);
    h->settle();
    EXPECT_NE(h->app->error().find("head:9.1"), std::string::npos);
}

TEST_F(TakingAway, ASessionWithoutAFileIsNoEarlierOne) {
    h->door().state.opened_at = 5;
    h->app->restore(h->app->session());
    EXPECT_EQ(h->app->state().opened_at, 0);
}

TEST_F(TakingAway, ASessionWhoseImageIsGoneChangesNothing) {
    Session s = h->app->session();
    s.image = {{}, folder / "gone.jpg"};
    s.focus.block = 4;
    s.focus.lab.instrument = Instrument::ledger;
    h->app->restore(s);
    h->settle();
    EXPECT_NE(h->app->error().find("gone.jpg"), std::string::npos);
    EXPECT_EQ(h->item("top.image").text, "cat");
    EXPECT_EQ(h->focus().block, 1);
}

TEST_F(TakingAway, AFolderThatCannotBeMadeIsTold) {
    h->change()->settings.export_folder = "/proc/none";
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    EXPECT_NE(h->app->error().find("/proc/none"), std::string::npos);
}

TEST_F(TakingAway, WhatWasOpenWhenTheWindowWasKilledIsOfferedBack) {
    fs::create_directories(folder);
    Session s = h->app->session();
    s.image = {"sun", {}};
    for (const bool wanted : {true, false}) {
        save_session(s, folder / "left.vitrine");
        h->door().state.left = {kept_session(folder / "left.vitrine")};
        h->carry_out(command::ShowDialog{"recover"});
        h->settle();
        h->tap(wanted ? "recover.restore" : "recover.discard");
        h->app->take_in(arrival::Notice{});
        h->frame(2);
        EXPECT_EQ(h->item("top.image").text, wanted ? "sun" : "cat");
        EXPECT_FALSE(fs::exists(folder / "left.vitrine"));
        EXPECT_EQ(h->app->state().dialog, "");
        h->carry_out(command::OpenImage{{"cat", {}}});
        h->settle();
    }
}

TEST_F(TakingAway, ALectureThatWasKilledContinuesAtItsStop) {
    const fs::path lesson = own / "mine.lesson", left = folder / "autosave-0a1b.vitrine";
    std::ofstream(lesson) << "lesson: Mine\nstep: image\nstep: heads\nblock: 2\nlab: ledger\n";
    fs::create_directories(folder);
    h->app->ask(command::OpenLesson{lesson.string()});
    h->settle();
    h->frame(40);
    h->press(Key::page_down);
    ASSERT_EQ(h->app->state().lecture.stop, 1);
    const Session killed = last_state_of(h->app->context());
    EXPECT_EQ(parse_session(to_json(killed), "killed"), killed) << "the lecture is written and read";
    EXPECT_EQ(killed.lecture, (StopOfLesson{lesson.string(), 1}));
    EXPECT_FALSE(h->app->session().lecture) << "a session saved by the user begins no lecture";
    const auto expect_stop = [&](const Harness& window) {
        const Lecture& lecture = window.app->state().lecture;
        ASSERT_TRUE(lecture.on);
        ASSERT_TRUE(lecture.lesson);
        EXPECT_EQ(lecture.lesson->source, lesson.string());
        EXPECT_EQ(lecture.stop, 1);
        EXPECT_EQ(window.app->state().room, "explore");
        EXPECT_EQ(window.focus().step, step_index("heads"));
        EXPECT_EQ(window.focus().block, 2);
        EXPECT_EQ(window.app->state().notice, window.app->text()("lecture.resumed", {{"stop", "2"}}));
    };
    save_session(killed, left);
    {
        Writer writer;
        leave_open(h->app->context(), folder, writer);
    }
    h.reset();  // one window at a time
    {
        Opening page;
        page.state.dialog = "start";
        page.state.left = {kept_session(left)};
        Harness next(std::move(page), {1280, 720});
        EXPECT_NE(next.item("start.recover.sentence").text.find("Lecture at stop 2"), std::string::npos)
            << next.item("start.recover.sentence").text;
        next.tap("start.recover");
        next.frame(40);
        expect_stop(next);
        next.press(Key::page_down);
        EXPECT_EQ(next.app->state().lecture.stop, 2) << "and goes on";
        next.press(Key::l);
        EXPECT_FALSE(next.app->state().lecture.on);
    }
    {
        Opening page;
        page.state.dialog = "start";
        page.state.last = kept_session(last_session_file(folder));
        Harness next(std::move(page), {1280, 720});
        next.tap("start.continue");
        next.frame(40);
        expect_stop(next);
    }
    fs::remove(lesson);
    save_session(killed, left);
    Opening page;
    page.state.dialog = "start";
    page.state.left = {kept_session(left)};
    Harness next(std::move(page), {1280, 720});
    next.tap("start.recover");
    next.frame(3);
    EXPECT_FALSE(next.app->state().lecture.on);
    EXPECT_EQ(next.focus().step, step_index("heads")) << "its view is back all the same";
    EXPECT_NE(next.app->error().find("mine.lesson"), std::string::npos);
}

TEST_F(TakingAway, ClosingAWindowKeepsWhatAKilledOneHasLeftUntilOneStartsAfresh) {
    const fs::path left = folder / "autosave-0a1b.vitrine", model = Autosave::model_of(left);
    fs::create_directories(model);
    std::ofstream(model / "model.safetensors") << "weights";
    Session s = h->app->session();
    s.image = {"sun", {}};
    s.model = {model, {}};
    save_session(s, left);
    const std::string kept = read(left);
    h->app->take_in(arrival::Left{folder});
    ASSERT_EQ(h->app->state().left.size(), 1U);
    {
        Writer writer;
        leave_open(h->app->context(), folder, writer);
    }
    EXPECT_EQ(load_session(last_session_file(folder)), h->app->session());
    EXPECT_EQ(read(left), kept);
    EXPECT_TRUE(fs::exists(model / "model.safetensors"));
    h->app->ask(command::Do{"forget"});
    h->frame(2);
    EXPECT_EQ(read(left), kept) << "while a notice offers the way back";
    h->app->take_in(arrival::Notice{});
    h->frame(2);
    EXPECT_FALSE(fs::exists(left));
    EXPECT_FALSE(fs::exists(model));
}

TEST_F(TakingAway, WhatWasInTrainingContinuesWhereTheKilledWindowHadIt) {
    LearningState runs;
    choose_runs(runs, "skips");
    Learning<Pictures> killed;
    killed.set(runs.recipes());
    for (int i = 0; i < 3; ++i) {
        killed.step();
        killed.wait();
    }
    const RunViews<Pictures> views = killed.latest();
    Learning<Pictures>& here = h->app->context().jobs().learning();
    here.set({recipe_of({.size = LearningSize::tiny})});
    here.step();
    here.wait();
    const auto own = static_cast<int>(here.latest()[0].now->report.seen);
    Session s = h->app->session();
    s.room = "learn";
    s.learning = to_json(runs);
    const fs::path left = folder / "autosave-0a1b.vitrine";
    fs::create_directories(Autosave::runs_of(left));
    for (std::size_t i = 0; i < views.size(); ++i)
        std::ofstream(Autosave::runs_of(left) / name_of_kept_run(false, i), std::ios::binary) << *views[i].checkpoint;
    save_session(s, left);
    h->door().state.left = {kept_session(left)};
    EXPECT_EQ(h->app->state().left.front().picture_runs, (KeptTraining{96, false}));
    h->carry_out(command::ShowDialog{"recover"});
    h->settle();
    EXPECT_NE(h->item("recover.lost.0").text.find("96 pictures"), std::string::npos) << h->item("recover.lost.0").text;
    const std::string named = h->app->text()("learn.experiment.skips") + ", step 3";
    EXPECT_TRUE(h->item("recover.lost.0").text.ends_with(named)) << h->item("recover.lost.0").text;
    h->tap("recover.restore");
    h->settle();
    const RunViews<Pictures> back = here.latest();
    ASSERT_EQ(back.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(back[i].stage, RunStage::paused);
        EXPECT_EQ(back[i].now->report.step, 3U);
        EXPECT_EQ(back[i].now->probabilities, views[i].now->probabilities);
    }
    EXPECT_NE(h->item("learn.restored").text.find("96 pictures"), std::string::npos);
    for (const char* const run : {"learn.run.0", "learn.run.1"}) {
        EXPECT_NE(h->item(run).text.find(" · restored"), std::string::npos) << h->item(run).text;
        EXPECT_EQ(h->item(run).text.find(" · live"), std::string::npos) << h->item(run).text;
    }
    for (const char* const curve : {"learn.loss.restored", "learn.accuracy.restored"})
        EXPECT_EQ(h->item(curve).value, 96) << "up to here the curves are of the killed window";
    EXPECT_EQ(h->item("learn.restored").text.find("Back to live"), std::string::npos);
    EXPECT_FALSE(h->shows("learn.told")) << "nothing is lost";
    EXPECT_EQ(unsaved_learning(h->app->context()), (UnsavedLearning{96, 0}));
    ASSERT_EQ(here.unsaved_aside().size(), 1U) << "the window's own runs are put aside";
    Session now = h->app->session();
    EXPECT_EQ(keep_runs(h->app->context(), now).size(), 2U);
    EXPECT_EQ(now.unsaved, (UnsavedLearning{own, 0})) << "a kill would lose what is put aside";
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(Autosave::abandoned_sessions(folder).empty());
    EXPECT_FALSE(fs::exists(Autosave::runs_of(left))) << "the next window that looks removes them";
    here.set(runs.recipes(), {views[0].checkpoint, views[1].checkpoint});
    EXPECT_EQ(keep_runs(h->app->context(), now).size(), 2U) << "kept while they are prepared, too";
    here.wait();
    here.step();
    here.wait();
    h->settle();
    EXPECT_FALSE(h->shows("learn.restored")) << "training went on";
    here.set(runs.recipes(), {std::make_shared<const std::string>("no run")});
    here.wait();
    h->settle();
    EXPECT_FALSE(h->shows("learn.restored")) << "what could not be restored is not said to be";
    EXPECT_NE(h->app->error().find("the run that was kept"), std::string::npos) << h->app->error();
}

TEST_F(TakingAway, AFinishedRunComesBackAsFinishedBesideWhatWasLost) {
    LearningState runs;
    Learning<Pictures> killed;
    killed.set(runs.recipes());
    killed.step();
    killed.wait();
    Trainer<Pictures> trainer(runs.recipes()[0], {1, 0});
    RunProgress progress = restore_run(*killed.latest()[0].checkpoint, trainer);
    const std::size_t at = progress.window.find("paused");
    ASSERT_NE(at, std::string::npos);
    progress.window.replace(at, 6, "done");
    Session s = h->app->session();
    s.room = "learn";
    s.unsaved = {3200, 0};
    s.learning = to_json(runs);
    const fs::path left = folder / "autosave-0a1b.vitrine";
    fs::create_directories(Autosave::runs_of(left));
    std::ofstream(Autosave::runs_of(left) / name_of_kept_run(false, 0), std::ios::binary)
        << run_bytes(trainer, progress);
    save_session(s, left);
    KeptSession kept = kept_session(left);
    EXPECT_EQ(kept.picture_runs, (KeptTraining{32, true}));
    EXPECT_EQ(training_notice(h->app->text(), kept),
              "Finished training is kept (32 pictures). Lost: training on 3200 pictures");
    h->door().state.left = {kept};
    h->carry_out(command::Recover{left});
    h->settle();
    EXPECT_EQ(h->item("learn.restored").text, "The finished training is back: 32 pictures.");
    EXPECT_EQ(h->item("learn.start").text, "Train longer");
    EXPECT_NE(h->item("learn.told").text.find("3200"), std::string::npos);
    kept.text_runs = {40, false};
    EXPECT_EQ(training_notice(h->app->text(), kept),
              "Training is kept, after 32 pictures and 40 texts. Lost: training on 3200 pictures");
}

TEST_F(TakingAway, WhatWasOpenSaysWhichLearningWasLost) {
    fs::create_directories(folder);
    Session s = h->app->session();
    s.unsaved = {3200, 480};
    save_session(s, folder / "left.vitrine");
    EXPECT_EQ(load_session(folder / "left.vitrine"), s);
    h->door().state.left = {kept_session(folder / "left.vitrine")};
    ImGui::GetIO().DisplaySize = {1280, 720};
    for (const char* const language : {"ja", "ko", "en"}) {
        h->change()->settings.language = language;
        h->carry_out(command::ShowDialog{"recover"});
        h->settle();
        const std::string lost = training_notice(h->app->text(), h->app->state().left.front());
        EXPECT_NE(lost.find("3200"), std::string::npos) << lost;
        EXPECT_NE(lost.find("480"), std::string::npos) << lost;
        EXPECT_EQ(h->item("recover.lost.0").text, lost);
        h->expect_readable(std::string("the recovery in ") + language);
        h->carry_out(command::ShowDialog{"start"});
        h->settle();
        h->expect_readable(std::string("the start page in ") + language);
        std::string whole = lost;
        std::erase(whole, ' ');
        EXPECT_TRUE(drawn_words(*h, h->item("start.recover.sentence").rect).ends_with(whole))
            << "and on the start page";
    }
    LearningState runs;
    choose_runs(runs, "skips");
    s.room = "learn";
    s.learning = to_json(runs);
    save_session(s, folder / "left.vitrine");
    h->door().state.left = {kept_session(folder / "left.vitrine")};
    const std::string lost = training_notice(h->app->text(), h->app->state().left.front());
    h->carry_out(command::Recover{folder / "left.vitrine"});
    h->settle();
    EXPECT_EQ(h->app->state().room, "learn");
    EXPECT_TRUE(h->app->state().learning.same_runs(runs)) << "the experiment is set up again";
    EXPECT_NE(h->item("learn.told").text.find(lost), std::string::npos);
    s.learning.clear();
    s.unsaved = {};
    EXPECT_EQ(to_json(s).find("unsaved"), std::string::npos) << "a file that was saved says nothing of it";
}

}  // namespace
}  // namespace vitrine
