#include "app/ui/settings.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/ui/languages.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Settings& s) {
    return {{"x", s.x},
            {"y", s.y},
            {"width", s.width},
            {"height", s.height},
            {"maximised", s.maximised},
            {"theme", s.theme == ThemeKind::dark ? "dark" : "light"},
            {"scale", s.scale},
            {"image_folder", s.image_folder},
            {"model_folder", s.model_folder},
            {"export_folder", s.export_folder},
            {"folded", s.folded},
            {"answered", s.answered},
            {"language", s.language},
            {"english_terms", s.english_terms},
            {"lesson", s.lesson},
            {"notes", s.notes},
            {"show_notes", s.show_notes},
            {"motion", s.motion}};
}

Settings from_json(const Json& json) {
    constexpr int smallest = 640, largest = 16384;
    Settings s;
    s.x = json.value("x", s.x);
    s.y = json.value("y", s.y);
    s.width = std::clamp(json.value("width", s.width), smallest, largest);
    s.height = std::clamp(json.value("height", s.height), smallest / 2, largest);
    s.maximised = json.value("maximised", s.maximised);
    s.theme = json.value("theme", std::string("dark")) == "light" ? ThemeKind::light : ThemeKind::dark;
    s.scale = std::clamp(json.value("scale", s.scale), 0.5F, 3.0F);
    s.image_folder = json.value("image_folder", s.image_folder);
    s.model_folder = json.value("model_folder", s.model_folder);
    s.export_folder = json.value("export_folder", s.export_folder);
    s.folded = json.value("folded", s.folded);
    s.answered = json.value("answered", s.answered);
    s.language = json.value("language", s.language);
    if (!is_language(s.language)) s.language = "en";
    s.english_terms = json.value("english_terms", s.english_terms);
    s.lesson = json.value("lesson", s.lesson);
    s.notes = json.value("notes", s.notes);
    s.show_notes = json.value("show_notes", s.show_notes);
    s.motion = json.value("motion", s.motion);
    return s;
}

/// Returns when the words are on the disk; false where they are not.
bool write_to_disk(const std::filesystem::path& file, const std::string& words) {
    const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0) return false;
    const bool written =
        write(out, words.data(), words.size()) == static_cast<ssize_t>(words.size()) && fsync(out) == 0;
    return close(out) == 0 && written;
}

}  // namespace

std::filesystem::path settings_file() {
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    const char* const home = std::getenv("HOME");
    std::filesystem::path folder = config != nullptr ? config : "";
    if (!folder.is_absolute()) folder = std::filesystem::path(home != nullptr ? home : ".") / ".config";  // as XDG asks
    return folder / "vitrine" / "settings.json";
}

std::string language_of_locale(const std::string& locale) {
    std::string code = locale.substr(0, locale.find_first_of(".@"));
    std::replace(code.begin(), code.end(), '_', '-');
    if (is_language(code)) return code;
    code.resize(std::min(code.size(), code.find('-')));
    return is_language(code) ? code : "en";
}

std::string language_of_environment() {
    for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* const value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        return language_of_locale(value);
    }
    return "en";
}

Settings load_settings(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return {};
    try {
        return from_json(Json::parse(in));
    } catch (const Json::exception&) {
        in.close();
        std::error_code ignored;
        std::filesystem::rename(file, file.string() + ".broken", ignored);
        return {};
    }
}

bool save_settings(const Settings& settings, const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const std::filesystem::path part = file.string() + ".part";
    const std::string words = to_json(settings).dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
    if (!write_to_disk(part, words)) return false;
    std::filesystem::rename(part, file, error);
    return !error;
}

}  // namespace vitrine
