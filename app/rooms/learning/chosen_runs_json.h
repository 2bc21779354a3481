#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/rooms/learning/chosen_runs.h"
#include "core/base/json_limits.h"

// JSON of chosen runs for sessions and recordings. `write` converts a choice to JSON, `read` an array to both choices.

namespace vitrine {

template <class Family, class Write>
nlohmann::ordered_json chosen_json(const ChosenRuns<Family>& runs, const Write& write) {
    using Json = nlohmann::ordered_json;
    const auto both = [&](const auto& choices) -> Json { return {write(choices[0]), write(choices[1])}; };
    return {{"choices", both(runs.choices)},
            {"two", runs.two},
            {"edited", runs.edited},
            {"own", runs.own},
            {"kept", runs.kept ? Json{{"choices", both(runs.kept->choices)}, {"two", runs.kept->two}} : Json()}};
}

/// Reads chosen runs. `own` is the default if the JSON has no "own". Throws as `read` and nlohmann::json do.
template <class Family, class Read>
void read_chosen(const nlohmann::ordered_json& json, const Read& read, bool own, ChosenRuns<Family>& runs) {
    runs.choices = read(json.at("choices"));
    if (json.contains("kept") && json.at("kept").is_object())
        runs.kept = {read(json.at("kept").at("choices")), json.at("kept").at("two").template get<bool>()};
    json.at("two").get_to(runs.two);
    runs.edited = std::clamp(whole(json.value("edited", 0.0)), 0, 1);
    runs.own = json.value("own", own);
}

}  // namespace vitrine
