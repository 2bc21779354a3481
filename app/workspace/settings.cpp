#include "app/workspace/settings.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/platform/user.h"
#include "app/ui/languages.h"
#include "core/base/json_limits.h"

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
        const auto& chosen = row.value();  // no binding: clang 14 lets no lambda look at one
        if (!value_in(exercise_names, name)) continue;
        const auto at = [&](std::size_t i) { return std::max(-1, whole(chosen.at(i).get<double>())); };
        exercises[name] = {at(0), at(1), at(2)};
    }
    return exercises;
}

OrderedJson json_of(const Settings& s) {
    return {{"x", s.window.x},
            {"y", s.window.y},
            {"width", s.window.width},
            {"height", s.window.height},
            {"maximised", s.window.maximised},
            {"theme", s.theme == ThemeKind::dark ? "dark" : "light"},
            {"scale", s.scale},
            {"image_folder", s.image_folder},
            {"model_folder", s.model_folder},
            {"export_folder", s.export_folder},
            {"folded", s.folded},
            {"answered", s.answered},
            {"exercises", json_of(s.exercises)},
            {"language", s.language},
            {"english_terms", s.english_terms},
            {"lesson", s.lesson},
            {"notes", s.notes},
            {"hall_monitor", s.hall_monitor},
            {"presenter", s.presenter},
            {"motion", s.motion},
            {"plays", s.plays},
            {"count_from", s.count_from},
            {"hints", s.hints},
            {"start_page", s.start_page},
            {"own_runs", s.own_runs},
            {"recent", s.recent},
            {"session_folder", s.session_folder},
            {"lesson_folder", s.lesson_folder}};
}

Settings from_json(const OrderedJson& json) {
    constexpr int smallest = 640, largest = 16384;
    Settings s;
    WindowPlace& place = s.window;
    const auto number = [&](const char* name, int otherwise) {
        return whole(json.value(name, static_cast<double>(otherwise)));
    };
    place.x = number("x", place.x);
    place.y = number("y", place.y);
    place.width = std::clamp(number("width", place.width), smallest, largest);
    place.height = std::clamp(number("height", place.height), smallest / 2, largest);
    place.maximised = json.value("maximised", place.maximised);
    s.theme = json.value("theme", std::string("dark")) == "light" ? ThemeKind::light : ThemeKind::dark;
    s.scale = std::clamp(json.value("scale", s.scale), 0.5F, 3.0F);
    s.image_folder = json.value("image_folder", s.image_folder);
    s.model_folder = json.value("model_folder", s.model_folder);
    s.export_folder = json.value("export_folder", s.export_folder);
    s.folded = json.value("folded", s.folded);
    s.answered = json.value("answered", s.answered);
    if (json.contains("exercises")) s.exercises = exercises_from(json.at("exercises"));
    s.language = json.value("language", s.language);
    if (!is_language(s.language)) s.language = "en";
    s.english_terms = json.value("english_terms", s.english_terms);
    s.lesson = json.value("lesson", s.lesson);
    s.notes = json.value("notes", s.notes);
    s.hall_monitor = json.value("hall_monitor", s.hall_monitor);
    s.presenter = json.value("presenter", s.presenter);
    s.motion = json.value("motion", s.motion);
    s.count_from = std::clamp(whole(json.value("count_from", 1.0)), 0, 1);
    s.plays = json.value("plays", s.plays);
    s.hints = json.value("hints", s.hints);
    s.start_page = json.value("start_page", s.start_page);
    s.own_runs = json.value("own_runs", s.own_runs);
    s.recent = json.value("recent", s.recent);
    s.session_folder = json.value("session_folder", s.session_folder);
    s.lesson_folder = json.value("lesson_folder", s.lesson_folder);
    return s;
}

}  // namespace

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
        // A value of another kind: nothing is changed.
    }
}

std::filesystem::path export_folder(const Settings& settings) {
    if (!settings.export_folder.empty()) return settings.export_folder;
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
    std::ifstream in(file);
    if (!in) return {};
    const std::string words((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    in.close();
    if (const std::optional<Settings> settings = parse_settings(words)) return *settings;
    std::error_code ignored;
    std::filesystem::rename(file, file.string() + ".broken", ignored);
    return {};
}

std::string to_json(const Settings& settings) {
    return json_of(settings).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

}  // namespace vitrine
