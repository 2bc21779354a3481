#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/ui/languages.h"
#include "app/workspace/settings.h"
#include "core/base/error.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class SettingsFile : public testing::Test {
protected:
    void SetUp() override { file = folder / "deep" / "settings.json"; }

    const TestFolder own;
    const fs::path folder = own / "settings";
    fs::path file;
};

TEST_F(SettingsFile, ComesBackAsItWasSaved) {
    Settings s;
    s.window.x = -1500;
    s.window.y = 40;
    s.window.width = 1234;
    s.theme = ThemeKind::light;
    s.scale = 1.25F;
    s.image_folder = "/home/ü/写真";
    s.folded = {"numbers"};
    s.motion = false;
    s.plays = s.presenter = true;
    s.hall_monitor = "HDMI-1";
    s.recent = {{"lessons", {"/home/ü/授業.txt"}}};
    s.window.maximised = true;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << to_json(s);
    EXPECT_EQ(load_settings(file), s);
}

TEST_F(SettingsFile, AMissingFileGivesDefaults) { EXPECT_EQ(load_settings(file), Settings()); }

TEST_F(SettingsFile, ABrokenFileGivesDefaultsAndIsPutAside) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "{ \"width\": ";
    EXPECT_EQ(load_settings(file), Settings());
    EXPECT_TRUE(fs::exists(file.string() + ".broken"));
}

TEST_F(SettingsFile, AbsurdValuesAreBroughtBackIntoRange) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << R"({"width": 999999, "height": -5, "scale": 100})";
    const Settings s = load_settings(file);
    EXPECT_LE(s.window.width, 16384);
    EXPECT_GE(s.window.height, 300);
    EXPECT_LE(s.scale, 3.0F);
}

TEST_F(SettingsFile, WhatAnExerciseDoesNotOfferWasNotChosenInIt) {
    fs::create_directories(file.parent_path());
    std::ofstream(file)
        << R"({"exercises": {"positions": [3, 1000, 99], "token_count": [2, 4, 1], "norm_axis": [-7, 0, 2]}})";
    const auto exercises = load_settings(file).exercises;
    EXPECT_EQ(exercises.at("positions"), ExerciseProgress());
    EXPECT_EQ(exercises.at("token_count"), (ExerciseProgress{2, 4, 1}));
    EXPECT_EQ(exercises.at("norm_axis"), (ExerciseProgress{-1, 0, 2}));
}

TEST_F(SettingsFile, NumbersThatFitNoneAndNestsWithoutEndAreNoDisaster) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << R"({"x": 1e300, "width": -1e300, "scale": 1e300})";
    EXPECT_EQ(load_settings(file).window.width, 640);
    const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
    std::ofstream(file) << "{\"folded\": " << deep << "}";
    EXPECT_EQ(load_settings(file), Settings());
    EXPECT_TRUE(fs::exists(file.string() + ".broken"));
    Settings changed;
    change_settings(changed, {{"folded", deep}, {"theme", "\"light\""}});
    EXPECT_EQ(changed.theme, ThemeKind::light) << "the others hold";
}

TEST_F(SettingsFile, WhatAnotherWindowHasWrittenStays) {
    Settings loaded;
    loaded.notes = {{"erased", "by this window"}, {"mine", "old"}, {"theirs", "old"}};
    loaded.answered = {"image"};
    loaded.exercises = {{"softmax_axis", {1, -1, -1}}};
    Settings file = loaded, mine = loaded;
    file.notes["a"] = "written after this window loaded";
    file.notes["theirs"] = "new";
    file.answered.insert("attention");
    file.exercises["key_is_query"] = {1, 2, 3};
    file.scale = 1.5F;
    file.window = {10, 20, 1000, 700, false};
    mine.theme = ThemeKind::light;
    mine.notes.erase("erased");
    mine.notes["mine"] = "new";
    mine.answered = {"scores"};
    mine.exercises["softmax_axis"] = {1, 4, -1};
    const Settings all = merged(file, loaded, mine);
    EXPECT_EQ(all.theme, ThemeKind::light);
    EXPECT_EQ(all.scale, 1.5F);
    EXPECT_EQ(all.window, file.window);
    EXPECT_EQ(all.notes, (std::map<std::string, std::string>{
                             {"a", "written after this window loaded"}, {"mine", "new"}, {"theirs", "new"}}));
    EXPECT_EQ(all.answered, (std::set<std::string>{"attention", "scores"}));
    EXPECT_TRUE(all.exercises.at("key_is_query") == (ExerciseProgress{1, 2, 3}));
    EXPECT_TRUE(all.exercises.at("softmax_axis") == (ExerciseProgress{1, 4, -1}));
    EXPECT_EQ(merged(file, loaded, loaded), file) << "who changes nothing writes nothing";
    EXPECT_EQ(merged(loaded, loaded, mine), mine) << "and who is alone writes it all";
}

TEST_F(SettingsFile, FilesThatTwoWindowsHaveOpenedAreBothRecent) {
    Settings loaded;
    loaded.recent = {{"images", {"a", "b", "c"}}, {"models", {"m"}}};
    Settings file = loaded, mine = loaded;
    file.recent["images"] = {"theirs", "a", "b", "c"};
    file.recent["lessons"] = {"l"};
    mine.recent["images"] = {"c", "mine", "a", "b"};
    mine.recent["sessions"] = {"s"};
    const std::map<std::string, std::vector<std::string>> wanted = {
        {"images", {"c", "mine", "theirs", "a", "b"}}, {"lessons", {"l"}}, {"models", {"m"}}, {"sessions", {"s"}}};
    EXPECT_EQ(merged(file, loaded, mine).recent, wanted);
    mine.recent["images"].assign(most_recent, "x");
    for (std::size_t i = 0; i < most_recent; ++i) mine.recent["images"][i] += std::to_string(i);
    EXPECT_EQ(merged(file, loaded, mine).recent.at("images"), mine.recent.at("images")) << "the oldest are forgotten";
}

TEST_F(SettingsFile, IsReadAgainBeforeItIsWritten) {
    Settings other, mine;
    mine.theme = ThemeKind::light;
    save_settings({}, mine, file);
    EXPECT_EQ(load_settings(file), mine) << "there was none";
    other.notes["a"] = "of another window";
    save_settings({}, other, file);
    Settings later = mine;
    later.hints = false;
    save_settings(mine, later, file);
    EXPECT_EQ(load_settings(file).notes, other.notes);
    EXPECT_EQ(load_settings(file).theme, ThemeKind::light);
    EXPECT_FALSE(load_settings(file).hints);
    std::ofstream(file) << "{ \"width\": ";
    save_settings(mine, later, file);
    EXPECT_EQ(load_settings(file), later) << "a broken one holds nothing";
}

TEST_F(SettingsFile, HoldsWhatTwoWindowsWriteAtOnce) {
    constexpr int count = 25;
    const auto write_notes = [&](const std::string& window) {
        Settings written;
        for (int i = 0; i < count; ++i) {
            Settings now = written;
            now.notes[window + std::to_string(i)] = "kept";
            save_settings(written, now, file);
            written = now;
        }
    };
    std::thread other([&] { write_notes("other"); });
    write_notes("mine");
    other.join();
    EXPECT_EQ(load_settings(file).notes.size(), 2U * count);
}

TEST_F(SettingsFile, LiesWhereXdgSays) {
    const char* const before = std::getenv("XDG_CONFIG_HOME");
    const std::string kept = before != nullptr ? before : "";
    setenv("XDG_CONFIG_HOME", "/some/where", 1);
    EXPECT_EQ(settings_file(), "/some/where/vitrine/settings.json");
    setenv("XDG_CONFIG_HOME", "not/from/the/root", 1);  // which XDG asks to ignore
    EXPECT_EQ(settings_file(), fs::path(std::getenv("HOME")) / ".config/vitrine/settings.json");
    before != nullptr ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
}

TEST(Locale, MeansALanguageThatThereIsOrEnglish) {
    for (const std::string& code : language_codes()) {
        EXPECT_EQ(language_of_locale(code), code);
        EXPECT_EQ(language_of_locale(code + "_XX.UTF-8@modified"), code);
    }
    for (const char* const other : {"", "C", "POSIX", "C.UTF-8", "tlh_XX.UTF-8", "_", "terms"})
        EXPECT_EQ(language_of_locale(other), "en") << other;
}

TEST_F(SettingsFile, ALanguageThatIsGoneBecomesEnglishAndEveryOtherStays) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << R"({"language": "tlh"})";
    EXPECT_EQ(load_settings(file).language, "en");
    for (const std::string& code : language_codes()) {
        Settings s;
        s.language = code;
        std::ofstream(file) << to_json(s);
        EXPECT_EQ(load_settings(file).language, code);
    }
}

TEST_F(SettingsFile, IsReadAndWrittenForItsOwnerAlone) {
    save_settings({}, {}, file);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(SettingsFile, APipeInItsPlaceKeepsNobodyWaiting) {
    fs::create_directories(file.parent_path());
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_EQ(load_settings(file), Settings());
    EXPECT_THROW(save_settings({}, {}, file), Error);
    EXPECT_TRUE(fs::is_fifo(file));
}

}  // namespace
}  // namespace vitrine
