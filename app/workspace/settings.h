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

enum class Colours;

/// How many recent files of a kind are remembered.
inline constexpr std::size_t most_recent = 12;

/// Settings stored between runs, in $XDG_CONFIG_HOME/vitrine/settings.json (or ~/.config).
struct Settings {
    WindowPlace window;
    ThemeKind theme = ThemeKind::dark;
    float scale = 1.0F;  // the user's factor on the window's own scale
    std::string image_folder, model_folder, export_folder;
    std::set<std::string> folded;                       // collapsed sections
    std::set<std::string> answered;                     // steps with an answered question
    std::map<std::string, ExerciseProgress> exercises;  // the learner's choices, by exercise
    std::string language = "en";                        // a code of app/ui/languages
    bool english_terms = true;                          // shown next to those of another language
    std::string lesson;                                 // opened last: a bundled lesson's name or a file
    std::map<std::string, std::string> notes;           // the lecturer's notes, by lesson and stop or by step
    std::string hall_monitor;                           // name of the monitor for full screen; empty: the window's own
    bool presenter = false;                             // a lecture opens a presenter's window
    bool motion = true;
    bool plays = false;        // a step's animation plays on arrival
    int count_from = 1;        // first number of blocks, heads, patches …: 1 for people, 0 as in tensors
    bool hints = true;         // hints about possible actions on the stage
    bool start_page = true;    // shown if nothing else is opened
    bool first_minute = true;  // offered on the start page, until it has been begun
    std::map<std::string, std::vector<std::string>> recent;  // by kind (app/workspace/recent): paths, newest first
    bool own_runs = false;                                   // Learn opens with custom runs instead of experiments
    std::string session_folder, lesson_folder;               // last used
    std::string memory = "automatic";  // budget of runs without the weights, as core/vit/run_memory reads it
    Colours colours = {};              // treatment of image files' colours, for the model

    bool operator==(const Settings&) const = default;
};

/// Changed settings by their names in the file, values as JSON.
using SettingValues = std::vector<std::pair<std::string, std::string>>;
SettingValues changed_settings(const Settings& before, const Settings& after);
/// All settings that affect the window's content; not its position, and no personal data (notes, folders).
SettingValues replayable_settings(const Settings& settings);
/// Applies values; ignores unknown names and invalid values.
void change_settings(Settings& settings, const SettingValues& values);

/// The file's current content with a window's changes from `before` to `after`: notes, answers, exercises, sections and
/// recent files are merged entry by entry; the window wins conflicts.
Settings merged(const Settings& file, const Settings& before, const Settings& after);

/// Copies `of_window`'s settings that affect a picture of the window: theme, language, counting, memory, colours.
void follow_in_picture(Settings& settings, const Settings& of_window);

/// The folder for exports: the chosen one, else one in the home folder.
std::filesystem::path export_folder(const Settings& settings);

std::filesystem::path settings_file();

/// The language of a locale, "pt_BR.UTF-8" as pt-BR or else pt; English if Vitrine has neither.
std::string language_of_locale(const std::string& locale);

/// Parses the file's content; nothing if it is invalid.
std::optional<Settings> parse_settings(std::string_view words);

/// Loads the file; defaults if there is none. A broken file is renamed to settings.json.broken.
Settings load_settings(const std::filesystem::path& file);

/// The file's content for these settings.
std::string to_json(const Settings& settings);

/// Writes a window's changes from `before` to `after` over the file's current content, which another window may have
/// changed. Writes all of `after` if the file is missing or broken. Throws Error.
void save_settings(const Settings& before, const Settings& after, const std::filesystem::path& file);

}  // namespace vitrine
