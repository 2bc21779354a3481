#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/platform/window_place.h"
#include "app/ui/theme.h"
#include "app/workspace/exercises.h"

namespace vitrine {

/// How many recent files of a kind are remembered.
inline constexpr std::size_t most_recent = 12;

/// What is remembered between runs, in $XDG_CONFIG_HOME/vitrine/settings.json (or ~/.config).
struct Settings {
    WindowPlace window;
    ThemeKind theme = ThemeKind::dark;
    float scale = 1.0F;  // the user's factor on the window's own scale
    std::string image_folder, model_folder, export_folder;
    std::set<std::string> folded;                       // sections that are closed
    std::set<std::string> answered;                     // steps whose question the learner has answered
    std::map<std::string, ExerciseProgress> exercises;  // by name: what the learner has chosen
    std::string language = "en";                        // a code of app/ui/languages
    bool english_terms = true;                          // beside those of another language
    std::string lesson;                                 // chosen last: a bundled lesson's name or a file
    std::map<std::string, std::string> notes;           // the lecturer's own, by lesson and stop or by step
    std::string hall_monitor;                           // by name: where full screen goes; empty: where the window is
    bool presenter = false;                             // a lecture has a presenter's window
    bool motion = true;
    bool plays = false;      // a step's motion begins by itself when one arrives
    int count_from = 1;      // blocks, heads, patches …: as people count, or 0 as tensors do
    bool hints = true;       // on the stage: what one can do there
    bool start_page = true;  // shown where nothing is named to be opened
    std::map<std::string, std::vector<std::string>> recent;  // by kind (app/workspace/recent): paths, the newest first
    bool own_runs = false;                      // Learn opens with choices of one's own, not with the experiments
    std::string session_folder, lesson_folder;  // where they were looked for last

    bool operator==(const Settings&) const = default;
};

/// Settings by their names in the file, values as JSON: those that differ.
using SettingValues = std::vector<std::pair<std::string, std::string>>;
SettingValues changed_settings(const Settings& before, const Settings& after);
/// All that decide what the window shows; not its place, and not what is the user's own (notes, folders).
SettingValues replayable_settings(const Settings& settings);
/// Takes values over; names it does not know and values that mean nothing change nothing.
void change_settings(Settings& settings, const SettingValues& values);

/// What the file holds by now, with what a window has changed meanwhile, `before` to `after`: of notes, answers,
/// exercises, sections and recent files each by itself, where both have changed it as the window has it.
Settings merged(const Settings& file, const Settings& before, const Settings& after);

/// Where exports go: the folder that was chosen, else one at home.
std::filesystem::path export_folder(const Settings& settings);

std::filesystem::path settings_file();

/// The language that a locale means, "pt_BR.UTF-8" as pt-BR or else pt; English where neither is one of ours.
std::string language_of_locale(const std::string& locale);

/// What such a file's words mean; nothing where they are none that it may hold.
std::optional<Settings> parse_settings(std::string_view words);

/// Defaults where there is no file; a broken one is put aside as settings.json.broken.
Settings load_settings(const std::filesystem::path& file);

/// What such a file holds.
std::string to_json(const Settings& settings);

/// Writes what a window has changed, `before` to `after`, over what the file holds by now: another window may have
/// written it since. All of `after` where there is no file or a broken one. Throws Error.
void save_settings(const Settings& before, const Settings& after, const std::filesystem::path& file);

}  // namespace vitrine
