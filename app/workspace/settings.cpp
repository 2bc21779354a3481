#include "app/workspace/settings.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "app/library/colours.h"
#include "app/platform/file_lock.h"
#include "app/platform/user.h"
#include "app/ui/languages.h"
#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/json_limits.h"
#include "core/base/output_file.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// {"key_is_query": [prediction, line, repair]}
OrderedJson json_of(const std::map<std::string, ExerciseProgress>& exercises) {
    OrderedJson json = OrderedJson::object();
    for (const auto& [name, p] : exercises) json[name] = {p.predicted, p.line, p.repair};
    return json;
}

std::map<std::string, ExerciseProgress> exercises_from(const OrderedJson& json) {
    std::map<std::string, ExerciseProgress> exercises;
    for (const auto& row : json.items()) {
        const std::string& name = row.key();
        const auto& chosen = row.value();  // no structured binding: clang 14 cannot capture one
        if (!value_in(exercise_names, name)) continue;
        const auto at = [&](std::size_t i, int offered) {  // an index out of range counts as no choice
            const int choice = whole(chosen.at(i).get<double>());
            return choice >= 0 && choice < offered ? choice : -1;
        };
        exercises[name] = {at(0, predictions_offered), at(1, most_lines), at(2, repairs_offered)};
    }
    return exercises;
}

/// Calls f(name in the file, setting) for every setting, in the file's order.
template <class S, class F>
void for_each_setting(S& s, F f) {
    f("x", s.window.x);
    f("y", s.window.y);
    f("width", s.window.width);
    f("height", s.window.height);
    f("maximised", s.window.maximised);
    f("theme", s.theme);
    f("scale", s.scale);
    f("image_folder", s.image_folder);
    f("model_folder", s.model_folder);
    f("export_folder", s.export_folder);
    f("folded", s.folded);
    f("answered", s.answered);
    f("exercises", s.exercises);
    f("language", s.language);
    f("english_terms", s.english_terms);
    f("lesson", s.lesson);
    f("notes", s.notes);
    f("hall_monitor", s.hall_monitor);
    f("presenter", s.presenter);
    f("motion", s.motion);
    f("plays", s.plays);
    f("count_from", s.count_from);
    f("hints", s.hints);
    f("start_page", s.start_page);
    f("first_minute", s.first_minute);
    f("own_runs", s.own_runs);
    f("recent", s.recent);
    f("session_folder", s.session_folder);
    f("lesson_folder", s.lesson_folder);
    f("memory", s.memory);
    f("colours", s.colours);
}

template <class Value>
const Value& in_file(const Value& value) {
    return value;
}
OrderedJson in_file(const std::map<std::string, ExerciseProgress>& exercises) { return json_of(exercises); }
const char* in_file(ThemeKind theme) { return theme == ThemeKind::dark ? "dark" : "light"; }
const char* in_file(Colours colours) { return name_of(colours); }

OrderedJson json_of(const Settings& settings) {
    OrderedJson json;
    for_each_setting(settings, [&](const char* name, const auto& value) { json[name] = in_file(value); });
    return json;
}

/// Reads a setting; leaves it unchanged if the file does not have it.
template <class Value>
void take(const OrderedJson& json, const char* name, Value& value) {
    value = json.value(name, value);
}
void take(const OrderedJson& json, const char* name, int& value) {
    value = whole(json.value(name, static_cast<double>(value)));
}
void take(const OrderedJson& json, const char* name, std::map<std::string, ExerciseProgress>& exercises) {
    if (json.contains(name)) exercises = exercises_from(json.at(name));
}
void take(const OrderedJson& json, const char* name, ThemeKind& theme) {
    theme = json.value(name, std::string("dark")) == "light" ? ThemeKind::light : ThemeKind::dark;
}
void take(const OrderedJson& json, const char* name, Colours& colours) {
    colours = value_in(colours_names, json.value(name, std::string())).value_or(Colours::stored);
}

Settings from_json(const OrderedJson& json) {
    constexpr int smallest = 640, largest = 16384;
    Settings s;
    for_each_setting(s, [&](const char* name, auto& value) { take(json, name, value); });
    s.window.width = std::clamp(s.window.width, smallest, largest);
    s.window.height = std::clamp(s.window.height, smallest / 2, largest);
    s.scale = std::clamp(s.scale, 0.5F, 3.0F);
    if (!is_language(s.language)) s.language = "en";
    s.count_from = std::clamp(s.count_from, 0, 1);
    if (!run_memory_of(s.memory)) s.memory = Settings().memory;
    return s;
}

/// The file's entries, with a window's changed entries put in and its erased ones removed.
template <class Value>
std::map<std::string, Value> merged_rows(std::map<std::string, Value> file, const std::map<std::string, Value>& before,
                                         const std::map<std::string, Value>& after) {
    for (const auto& [name, value] : after)
        if (const auto old = before.find(name); old == before.end() || !(old->second == value)) file[name] = value;
    for (const auto& row : before)
        if (!after.contains(row.first)) file.erase(row.first);
    return file;
}

std::set<std::string> merged_names(std::set<std::string> file, const std::set<std::string>& before,
                                   const std::set<std::string>& after) {
    for (const std::string& name : after)
        if (!before.contains(name)) file.insert(name);
    for (const std::string& name : before)
        if (!after.contains(name)) file.erase(name);
    return file;
}

using Paths = std::vector<std::string>;

Paths without(Paths paths, const Paths& others) {
    std::erase_if(paths, [&](const std::string& path) { return std::ranges::find(others, path) != others.end(); });
    return paths;
}

/// The recent files of a kind: those that the window has opened since `before`, newest first, then those of `file`.
Paths merged_recent(const Paths& file, const Paths& before, const Paths& after) {
    Paths opened = after;
    for (std::size_t count = 0; count < after.size(); ++count) {
        const auto older = after.begin() + static_cast<std::ptrdiff_t>(count);
        const Paths first(after.begin(), older), rest = without(before, first);
        const auto kept = static_cast<std::size_t>(after.end() - older);
        if (kept > rest.size() || !std::equal(older, after.end(), rest.begin())) continue;
        opened = first;
        break;
    }
    Paths all = opened;
    for (const std::string& path : without(file, opened)) all.push_back(path);
    all.resize(std::min(all.size(), most_recent));
    return all;
}

/// Contents of the file; nothing if it does not exist or cannot be read. Throws Error if it is not a regular file.
std::optional<std::string> words_in(const std::filesystem::path& file) {
    constexpr std::size_t most_bytes = 16 << 20;
    std::error_code unreachable;
    const std::filesystem::file_status status = std::filesystem::status(file, unreachable);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw Error(file.string() + ": is not a regular file, so settings are neither read nor saved; move it away");
    try {
        return words_of_file(file, most_bytes);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void follow_in_picture(Settings& settings, const Settings& of_window) {
    settings.theme = of_window.theme;
    settings.language = of_window.language;
    settings.count_from = of_window.count_from;
    settings.memory = of_window.memory;
    settings.colours = of_window.colours;
}

SettingValues changed_settings(const Settings& before, const Settings& after) {
    SettingValues changed;
    const OrderedJson old = json_of(before), now = json_of(after);
    for (const auto& [name, value] : now.items())
        if (value != old.at(name))
            changed.emplace_back(name, value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
    return changed;
}

SettingValues replayable_settings(const Settings& settings) {
    static const std::set<std::string> own = {"x",
                                              "y",
                                              "width",
                                              "height",
                                              "maximised",
                                              "notes",
                                              "lesson",
                                              "image_folder",
                                              "model_folder",
                                              "recent",
                                              "export_folder",
                                              "session_folder",
                                              "lesson_folder",
                                              "hall_monitor",
                                              "presenter"};
    SettingValues values;
    const OrderedJson json = json_of(settings);
    for (const auto& [name, value] : json.items())
        if (!own.contains(name))
            values.emplace_back(name, value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
    return values;
}

void change_settings(Settings& settings, const SettingValues& values) {
    OrderedJson json = json_of(settings);
    for (const auto& [name, value] : values) {
        if (nests_too_deeply(value)) continue;
        if (const OrderedJson parsed = OrderedJson::parse(value, nullptr, false);
            json.contains(name) && !parsed.is_discarded())
            json[name] = parsed;
    }
    try {
        settings = from_json(json);
    } catch (const OrderedJson::exception&) {
        // A value of the wrong type is ignored.
    }
}

Settings merged(const Settings& file, const Settings& before, const Settings& after) {
    Settings all = file;
    change_settings(all, changed_settings(before, after));
    if (after.window != before.window) all.window = after.window;  // position and size together
    all.folded = merged_names(file.folded, before.folded, after.folded);
    all.answered = merged_names(file.answered, before.answered, after.answered);
    all.exercises = merged_rows(file.exercises, before.exercises, after.exercises);
    all.notes = merged_rows(file.notes, before.notes, after.notes);
    all.recent = file.recent;
    const auto of_kind = [](const Settings& s, const std::string& kind) {
        const auto found = s.recent.find(kind);
        return found == s.recent.end() ? Paths() : found->second;
    };
    for (const auto& [kind, paths] : after.recent)
        if (const Paths old = of_kind(before, kind); old != paths)
            all.recent[kind] = merged_recent(of_kind(file, kind), old, paths);
    return all;
}

std::filesystem::path export_folder(const Settings& settings) {
    if (!settings.export_folder.empty()) return typed_path(settings.export_folder);
    return home_folder() / "vitrine";
}

std::filesystem::path settings_file() { return config_folder() / "vitrine" / "settings.json"; }

std::string language_of_locale(const std::string& locale) {
    std::string code = locale.substr(0, locale.find_first_of(".@"));
    std::replace(code.begin(), code.end(), '_', '-');
    if (is_language(code)) return code;
    code.resize(std::min(code.size(), code.find('-')));
    return is_language(code) ? code : "en";
}

std::optional<Settings> parse_settings(std::string_view words) {
    if (nests_too_deeply(words)) return {};
    try {
        return from_json(OrderedJson::parse(words));
    } catch (const OrderedJson::exception&) {
        return {};
    }
}

Settings load_settings(const std::filesystem::path& file) {
    std::optional<std::string> words;
    try {
        words = words_in(file);
    } catch (const Error&) {
        return {};  // saving reports it
    }
    if (!words) return {};
    if (const std::optional<Settings> settings = parse_settings(*words)) return *settings;
    std::error_code ignored;
    std::filesystem::rename(file, file.string() + ".broken", ignored);
    return {};
}

std::string to_json(const Settings& settings) {
    return json_of(settings).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

void save_settings(const Settings& before, const Settings& after, const std::filesystem::path& file) {
    constexpr std::chrono::seconds patience{2};  // in case another window hangs
    std::error_code ignored;                     // opening the file reports it
    std::filesystem::create_directories(file.parent_path(), ignored);
    // Locked from reading to writing, so that another window's changes in between are not lost.
    const std::optional<FileLock> lock = FileLock::wait(file.string() + ".lock", patience);
    const std::optional<std::string> words = words_in(file);
    const std::optional<Settings> there = words ? parse_settings(*words) : std::nullopt;
    replace_file(file, to_json(there ? merged(*there, before, after) : after), OutputFile::Readers::owner);
}

}  // namespace vitrine
