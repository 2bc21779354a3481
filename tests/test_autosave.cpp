#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "app/jobs/writer.h"
#include "app/platform/file_lock.h"
#include "app/sessions/autosave.h"
#include "app/sessions/kept_sessions.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class AutosaveFolder : public testing::Test {
protected:
    void SetUp() override { fs::remove_all(folder); }
    void TearDown() override { fs::remove_all(folder); }

    static Session session(const std::string& sample = "cat") {
        Session s;
        s.image = {"pictograms:" + sample, {}};
        s.focus.block = 3;
        return s;
    }

    static std::shared_ptr<const Model> model_to_keep() {
        Config c;
        c.image_height = c.image_width = 16;
        c.patch_size = 8;
        c.embedding_dim = 8;
        c.heads = 2;
        c.blocks = 1;
        c.mlp_dim = 16;
        c.classes = 2;
        return std::make_shared<Model>(random_model(c, 1));
    }

    std::vector<fs::path> sessions() const {
        std::vector<fs::path> files;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(folder, none))
            if (entry.path().extension() == session_ending) files.push_back(entry.path());
        return files;
    }
    bool is_empty() const { return !fs::exists(folder) || fs::is_empty(folder); }

    /// Another process that keeps a session and is killed while it lives.
    void keep_and_be_killed(const Session& kept, const std::shared_ptr<const Model>& learned = nullptr) const {
        const pid_t child = fork();
        if (child == 0) {
            Writer writer;
            Autosave autosave(folder, writer);
            autosave.keep(kept, learned);
            writer.finish();
            kill(getpid(), SIGKILL);
        }
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status));
    }

    fs::path folder = fs::temp_directory_path() / ("vitrine_autosave_test." + std::to_string(getpid()));
};

TEST_F(AutosaveFolder, HoldsTheNewestSessionWhileTheWindowIsOpenAndNothingAfterwards) {
    Session s = session();
    {
        Writer writer;
        Autosave autosave(folder, writer);
        EXPECT_FALSE(fs::exists(folder));
        autosave.keep(s, nullptr);
        writer.finish();
        ASSERT_EQ(sessions().size(), 1U);
        EXPECT_EQ(load_session(sessions().front()), s);
        s.focus.block = 1;
        autosave.keep(s, nullptr);
        writer.finish();
        EXPECT_EQ(load_session(sessions().front()), s);
        EXPECT_TRUE(Autosave::abandoned_sessions(folder).empty()) << "its window is open";
        s.focus.block = 2;
        autosave.keep(s, nullptr);  // closed before it is written
    }
    EXPECT_TRUE(is_empty());
}

TEST_F(AutosaveFolder, WritesOnlyWhatHasChanged) {
    Writer writer(std::chrono::milliseconds(0));
    Autosave autosave(folder, writer);
    autosave.keep(session(), nullptr);
    writer.finish();
    fs::remove(sessions().front());
    autosave.keep(session(), nullptr);
    writer.finish();
    EXPECT_TRUE(sessions().empty());
    autosave.keep(session("sun"), nullptr);
    writer.finish();
    EXPECT_EQ(sessions().size(), 1U);
}

TEST_F(AutosaveFolder, KeepsNothingUntilSomethingIsChanged) {
    Writer writer;
    Autosave autosave(folder, writer);
    Session s = session();
    autosave.begin(s, 0);
    s.time = 0.3F;  // the animation plays by itself
    autosave.keep(s, nullptr);
    writer.finish();
    EXPECT_TRUE(is_empty()) << "killed now, nothing would be lost";
    s.focus.block = 1;
    autosave.keep(s, nullptr);
    s.focus.block = 3;
    autosave.keep(s, nullptr);
    writer.finish();
    EXPECT_EQ(sessions().size(), 1U);
}

TEST_F(AutosaveFolder, KeepsARestoredSessionAtOnceSinceItsOwnFileIsGone) {
    Writer writer;
    Autosave autosave(folder, writer);
    autosave.begin(session(), 1'700'000'000);
    autosave.keep(session(), nullptr);
    writer.finish();
    EXPECT_EQ(sessions().size(), 1U);
}

TEST_F(AutosaveFolder, RunsAreFilesOfTheirNamesAlone) {
    const fs::path left = folder / "autosave-0a1b.vitrine", runs = Autosave::runs_of(left);
    fs::create_directories(runs / "pictures.0");
    ASSERT_EQ(mkfifo((runs / "pictures.1").c_str(), 0600), 0) << "who opens it waits for ever";
    std::ofstream(runs / "texts.0.vitrine-1a.part") << "half";
    std::ofstream(runs / "notes.txt") << "a user's";
    std::ofstream(runs / "texts.1") << "b";
    std::ofstream(runs / "pictures.aside.3") << "c";
    std::ofstream(runs / "pictures.aside.4") << "one too many";
    std::ofstream(runs / "texts.0") << "";
    fs::resize_file(runs / "texts.0", std::uintmax_t{300} << 20U);
    const KeptRuns found = Autosave::read_runs(left);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(*found.at("texts.1"), "b");
    EXPECT_EQ(*found.at("pictures.aside.3"), "c");
}

TEST_F(AutosaveFolder, HoldsAModelThatWasTrainedInTheWindowBesideTheSession) {
    {
        Writer writer;
        Autosave autosave(folder, writer);
        const auto model = model_to_keep();
        autosave.keep(session(), model);
        autosave.keep(session("sun"), model);
        writer.finish();
        ASSERT_EQ(sessions().size(), 1U);
        const Session kept = load_session(sessions().front());
        EXPECT_EQ(kept.image.sample, "pictograms:sun");
        EXPECT_EQ(load_model(kept.model.path).config.embedding_dim, 8);
    }
    EXPECT_TRUE(is_empty());
}

TEST_F(AutosaveFolder, HoldsTheNewestRunsBesideTheSessionAndNoneOnceTheyAreGone) {
    {
        Writer writer(std::chrono::milliseconds(0));
        Autosave autosave(folder, writer);
        const auto run = [](const char* bytes) { return std::make_shared<const std::string>(bytes); };
        autosave.keep(session(), nullptr, {{"pictures.0", run("a")}, {"pictures.1", run("b")}});
        writer.finish();
        ASSERT_EQ(sessions().size(), 1U);
        const fs::path kept = sessions().front();
        EXPECT_EQ(*Autosave::read_runs(kept).at("pictures.1"), "b");
        EXPECT_EQ(fs::status(Autosave::runs_of(kept)).permissions() & fs::perms::others_all, fs::perms::none);
        autosave.keep(session(), nullptr, {{"pictures.0", run("c")}});
        writer.finish();
        EXPECT_EQ(Autosave::read_runs(kept).size(), 1U);
        EXPECT_EQ(*Autosave::read_runs(kept).at("pictures.0"), "c");
        autosave.keep(session(), nullptr, {});
        writer.finish();
        EXPECT_FALSE(fs::exists(Autosave::runs_of(kept)));
        autosave.keep(session(), nullptr, {{"texts.0", run("d")}});
        writer.finish();
    }
    EXPECT_TRUE(is_empty());
}

TEST_F(AutosaveFolder, WhatAKilledProcessLeftIsFoundUntilItIsForgotten) {
    keep_and_be_killed(session(), model_to_keep());
    for (int start = 0; start < 2; ++start) {
        const std::vector<fs::path> left = Autosave::abandoned_sessions(folder);
        ASSERT_EQ(left.size(), 1U);
        Session wanted = session();
        wanted.model.path = Autosave::model_of(left.front());
        EXPECT_EQ(load_session(left.front()), wanted);
    }
    Autosave::forget(Autosave::abandoned_sessions(folder).front());
    EXPECT_TRUE(is_empty());
}

TEST_F(AutosaveFolder, WhatAKilledProcessLeftIsOfferedOnceItsLockIsFree) {
    keep_and_be_killed(session());
    State state;
    state.dialog = "start";
    {
        const auto held = FileLock::take(fs::path(sessions().front()).replace_extension(".lock"));
        ASSERT_TRUE(held) << "as by a process that is not gone yet";
        offer_recovery(state, folder);
        EXPECT_EQ(state.dialog, "start");
        EXPECT_TRUE(state.left.empty());
    }
    offer_recovery(state, folder);
    EXPECT_EQ(state.dialog, "start") << "which shows it";
    EXPECT_EQ(state.left.size(), 1U);
    state.dialog = "";
    offer_recovery(state, folder);
    EXPECT_EQ(state.dialog, "") << "once";
    state.left.clear();
    offer_recovery(state, folder);
    EXPECT_EQ(state.dialog, "recover") << "where there is no start page";
}

// In a container every window has the same process number.
TEST_F(AutosaveFolder, AWindowOfTheSameProcessNumberNeitherOverwritesNorHidesWhatWasLeft) {
    keep_and_be_killed(session("sun"));
    const fs::path as_if_ours = folder / ("autosave-" + std::to_string(getpid()) + session_ending);
    ASSERT_EQ(Autosave::abandoned_sessions(folder).size(), 1U);
    fs::rename(Autosave::abandoned_sessions(folder).front(), as_if_ours);
    EXPECT_EQ(Autosave::abandoned_sessions(folder), std::vector<fs::path>{as_if_ours});
    Writer writer;
    Autosave autosave(folder, writer), other(folder, writer);
    autosave.keep(session("cat"), nullptr);
    other.keep(session("tree"), nullptr);
    writer.finish();
    EXPECT_EQ(sessions().size(), 3U);
    EXPECT_EQ(load_session(as_if_ours), session("sun"));
    EXPECT_EQ(Autosave::abandoned_sessions(folder), std::vector<fs::path>{as_if_ours});
}

TEST_F(AutosaveFolder, TheNewestComesFirst) {
    for (const char* const sample : {"sun", "cat", "tree"}) {
        keep_and_be_killed(session(sample));
        for (const fs::path& file : sessions())
            fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(10));
    }
    const std::vector<fs::path> left = Autosave::abandoned_sessions(folder);
    ASSERT_EQ(left.size(), 3U);
    EXPECT_EQ(load_session(left.front()).image.sample, "pictograms:tree");
    EXPECT_EQ(load_session(left.back()).image.sample, "pictograms:sun");
}

TEST_F(AutosaveFolder, RemovesWhatWasLeftWithoutASession) {
    fs::create_directories(folder / "autosave-0a1b-model");
    std::ofstream(folder / "autosave-0a1b.lock") << "";
    std::ofstream(folder / "autosave-0a1b.vitrine.vitrine-12-0.part") << "half";
    std::ofstream(folder / "settings.json") << "{}";
    std::ofstream(folder / "autosave-notes.txt") << "somebody's own";
    EXPECT_TRUE(Autosave::abandoned_sessions(folder).empty());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
}

TEST_F(AutosaveFolder, AFolderThatCannotBeWrittenIsToldAndNoDisaster) {
    std::ofstream(folder) << "a file where the folder should be";
    Writer writer;
    Autosave autosave(folder, writer);
    autosave.keep(session(), nullptr);
    writer.finish();
    EXPECT_NE(writer.take_failure(), "");
}

TEST_F(AutosaveFolder, ALockIsHeldOnceAndFreeWhenItsHolderEnds) {
    fs::create_directories(folder);
    const fs::path file = folder / "a.lock";
    {
        const auto lock = FileLock::take(file);
        ASSERT_TRUE(lock);
        EXPECT_FALSE(FileLock::take(file));
    }
    EXPECT_TRUE(FileLock::take(file));
    EXPECT_FALSE(FileLock::take(folder / "nowhere" / "a.lock"));
}

}  // namespace
}  // namespace vitrine
