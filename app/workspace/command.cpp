#include "app/workspace/command.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/vit/image_size.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

using Json = nlohmann::json;

/// What reading a line depends on, besides the line.
struct Reading {
    const Config& config;
};

void put(Json& json, const std::string& words) { json.push_back(words); }
void put(Json& json, const std::filesystem::path& path) { json.push_back(path.string()); }
void put(Json& json, bool value) { json.push_back(value); }
void put(Json& json, int value) { json.push_back(value); }
void put(Json& json, float value) { json.push_back(value); }
template <class Number>
void put(Json& json, const std::optional<Number>& value) {
    json.push_back(value ? Json(*value) : Json());
}
void put(Json& json, const std::optional<ImageSize>& size) { json.push_back(size ? Json(option_of(*size)) : Json()); }
void put(Json& json, const std::vector<std::string>& words) { json.push_back(words); }
void put(Json& json, const std::vector<std::pair<std::string, std::string>>& pairs) {
    Json list = Json::array();
    for (const auto& [name, value] : pairs) list.push_back(Json::array({name, value}));
    json.push_back(list);
}
void put(Json& json, const std::vector<Intervention>& what_ifs, const Config& config) {
    Json list = Json::array();
    for (const Intervention& i : what_ifs) list.push_back(to_word(i, config));
    json.push_back(list);
}

void get(const Json& json, std::string& words, const Reading&) { json.get_to(words); }
void get(const Json& json, std::filesystem::path& path, const Reading&) { path = json.get<std::string>(); }
void get(const Json& json, bool& value, const Reading&) { json.get_to(value); }
void get(const Json& json, int& value, const Reading&) { value = whole(json.get<double>()); }
void get(const Json& json, float& value, const Reading&) { json.get_to(value); }
void get(const Json& json, ImageSize& size, const Reading&) { size = parse_image_size(json.get<std::string>()); }
template <class Number>
void get(const Json& json, std::optional<Number>& value, const Reading& reading) {
    if (!json.is_null()) get(json, value.emplace(), reading);
}
void get(const Json& json, std::vector<std::string>& words, const Reading&) { json.get_to(words); }
void get(const Json& json, std::vector<std::pair<std::string, std::string>>& pairs, const Reading&) {
    for (const Json& pair : json) pairs.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
}
void get(const Json& json, std::vector<Intervention>& what_ifs, const Reading& reading) {
    for (const Json& word : json) vitrine::put(what_ifs, parse_intervention(word.get<std::string>(), reading.config));
}

/// The line as this version writes it, also if an earlier version wrote it.
Json in_todays_words(Json line) {
    if (line.at(0) != "image-size") return line;
    const ImageSize size{whole(line.at(2).get<double>()), whole(line.at(1).get<double>())};
    return Json::array({"model-setting", "image_size", size == ImageSize() ? "" : option_of(size)});
}

/// The command whose name is `word`, with the line's parts; tries the alternatives of `Command` in order, from `at`.
/// Parts after the first `least_parts` may be absent. Throws Error for an unknown name.
template <std::size_t at = 0>
Command read(const std::string& word, const Json& line, const Reading& reading) {
    if constexpr (at == std::variant_size_v<Command>) {
        throw Error("'" + word + "' is not a command of this version; record again with it");
    } else {
        std::variant_alternative_t<at, Command> command;
        if (word != command.word) return read<at + 1>(word, line, reading);
        std::size_t place = 0, least = line.size();
        if constexpr (requires { command.least_parts; }) least = command.least_parts;
        const auto take = [&](auto& part) {
            if (++place <= least || place < line.size()) get(line.at(place), part, reading);
        };
        std::apply([&](auto&... part) { (take(part), ...); }, command.parts());
        return command;
    }
}

}  // namespace

void Commands::add(const char* id) { asked_.emplace_back(command::Do{id}); }

std::string to_line(const Command& command, const Config& config) {
    Json line = Json::array();
    std::visit(
        [&](auto copy) {
            line.push_back(copy.word);
            const auto add = [&](const auto& part) {
                if constexpr (requires { put(line, part, config); })
                    put(line, part, config);
                else
                    put(line, part);
            };
            std::apply([&](const auto&... part) { (add(part), ...); }, copy.parts());
        },
        command);
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Command parse_line(const std::string& line, const Config& config) {
    try {
        const Json json = in_todays_words(Json::parse(line));
        return read(json.at(0).get<std::string>(), json, {config});
    } catch (const Json::exception&) {
        throw Error("'" + line + "' is not a command; every line is a JSON list that begins with a command's name");
    }
}

}  // namespace vitrine
