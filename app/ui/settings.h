#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "app/ui/theme.h"

namespace vitrine {

/// What is remembered between runs, in $XDG_CONFIG_HOME/vitrine/settings.json (or ~/.config).
struct Settings {
    static constexpr int anywhere = std::numeric_limits<int>::min();
    int x = anywhere, y = anywhere;  // of the window; left of the first monitor x is negative
    int width = 1600, height = 900;
    bool maximised = false;
    ThemeKind theme = ThemeKind::dark;
    float scale = 1.0F;  // the user's factor on the window's own scale
    std::string image_folder, model_folder, export_folder;
    std::set<std::string> folded;              // sections that are closed
    std::set<std::string> answered;            // steps whose question the learner has answered
    std::string language = "en";               // a code of app/ui/languages
    bool english_terms = true;                 // beside those of another language
    std::string lesson;                        // chosen last: a bundled lesson's name or a file
    std::map<std::string, std::string> notes;  // the lecturer's own, by lesson and stop or by step
    bool show_notes = false;
    bool motion = true;

    bool operator==(const Settings&) const = default;
};

std::filesystem::path settings_file();

/// The language that a locale means, "pt_BR.UTF-8" as pt-BR or else pt; English where neither is one of ours.
std::string language_of_locale(const std::string& locale);

/// The language of the environment's LC_ALL, LC_MESSAGES or LANG, where it is one of ours; else English.
std::string language_of_environment();

/// Defaults where there is no file; a broken one is put aside as settings.json.broken.
Settings load_settings(const std::filesystem::path& file);

/// Written atomically, safe against a loss of power; false where the folder cannot be written, which loses nothing but
/// the memory.
bool save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace vitrine
