#include "app/ui/text.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "embedded/assets.h"

namespace vitrine {

Text Text::parse(std::string_view json, const std::string& name) {
    Text text;
    std::set<std::string> seen;
    const auto watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        if (event == nlohmann::json::parse_event_t::key && !seen.insert(parsed.get<std::string>()).second)
            throw Error(name + ": the key \"" + parsed.get<std::string>() + "\" appears twice; remove one");
        return true;
    };
    try {
        const nlohmann::json table = nlohmann::json::parse(json.begin(), json.end(), watch);
        if (!table.is_object())
            throw Error(name + ": this should be a table of \"key\": \"words\" in braces; correct it");
        for (const auto& [key, words] : table.items()) {
            if (!words.is_string()) throw Error(name + ": \"" + key + "\" should be words in quotes; correct it");
            text.table_.emplace(key, words.get<std::string>());
        }
    } catch (const nlohmann::json::exception& error) {
        throw Error(name + ": this is not valid JSON (" + error.what() + "); correct it");
    }
    return text;
}

std::uint64_t Text::next_stamp() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

const std::string& Text::operator()(std::string_view key) const {
    if (const auto found = table_.find(key); found != table_.end()) return found->second;
    return missing_.try_emplace(std::string(key), "⟦" + std::string(key) + "⟧").first->second;
}

std::string Text::operator()(std::string_view key,
                             std::initializer_list<std::pair<std::string_view, std::string>> values) const {
    std::string words = (*this)(key);
    for (const auto& [name, value] : values) {
        const std::string place = "{" + std::string(name) + "}";
        for (std::size_t at = 0; (at = words.find(place, at)) != std::string::npos; at += value.size())
            words.replace(at, place.size(), value);
    }
    return words;
}

bool Text::has(std::string_view key) const { return table_.contains(key); }

bool matches(const std::string& words, const std::string& typed) {
    const auto lower = [](std::string s) {
        std::transform(s.begin(), s.end(), s.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return s;
    };
    const std::string in = lower(words), all = lower(typed);
    std::size_t at = 0;
    while ((at = all.find_first_not_of(' ', at)) != std::string::npos) {
        const std::size_t end = std::min(all.find(' ', at), all.size());
        if (in.find(all.substr(at, end - at)) == std::string::npos) return false;
        at = end;
    }
    return true;
}

std::string duration_text(const Text& text, double seconds) {
    constexpr std::int64_t minute = 60, hour = 60 * minute, coarse = 10 * minute;
    constexpr double longest = 1e9;  // some thirty years
    auto whole = static_cast<std::int64_t>(std::clamp(seconds, 0.0, longest) + 0.5);
    if (whole >= coarse) whole = (whole + minute / 2) / minute * minute;  // seconds are irrelevant then
    std::string words;
    const auto add = [&](const char* unit, std::int64_t count) {
        if (count > 0) words += (words.empty() ? "" : " ") + text(unit, {{"count", std::to_string(count)}});
    };
    add("duration.hours", whole / hour);
    add("duration.minutes", whole % hour / minute);
    add("duration.seconds", whole % minute);
    return words.empty() ? text("duration.seconds", {{"count", "0"}}) : words;
}

std::string rough_duration(const Text& text, double seconds) {
    constexpr double minute = 60, hour = 60 * minute;
    const double unit = seconds < minute ? 10 : seconds < hour ? minute : 10 * minute;
    return duration_text(text, unit * std::max(1.0, std::round(seconds / unit)));
}

Text load_text(const std::string& language) {
    const std::string file = "text/" + language + ".json";
    return Text::parse(embedded(assets(), file).text(), file);
}

}  // namespace vitrine
