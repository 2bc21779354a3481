#include "app/rooms/learning/learning_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/rooms/learning/chosen_runs_json.h"
#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/names.h"
#include "core/training/net_study.h"
#include "core/training/optimiser.h"
#include "core/training/presets.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

// Recordings and sessions store these names, never an enumeration's numbers.
constexpr Named<Activation> activation_names[] = {
    {Activation::gelu, "gelu"}, {Activation::relu, "relu"}, {Activation::elu, "elu"}};
constexpr Named<Norm> norm_names[] = {{Norm::before, "before"}, {Norm::after, "after"}, {Norm::none, "none"}};

template <class T, std::size_t n>
T value_of(const Named<T> (&list)[n], const Json& name) {
    const std::optional<T> value = value_in(list, name.get<std::string>());
    if (!value) throw Error(name.dump() + " is not a choice for a training run; choose from " + listed(names_of(list)));
    return *value;
}

Json choice_json(const LearningChoice& c) {
    Json json = {{"size", name_in(size_names, c.size)},
                 {"patch", c.patch},
                 {"scenes", name_of(c.scenes)},
                 {"activation", name_in(activation_names, c.activation)},
                 {"norm", name_in(norm_names, c.norm)},
                 {"skips", c.skips},
                 {"positions", c.positions},
                 {"optimiser", name_in(optimiser_names, c.optimiser)},
                 {"learning_rate", c.learning_rate.value},
                 {"batch", c.batch},
                 {"dropout", c.dropout},
                 {"distinct", c.distinct},
                 {"minutes", c.minutes},
                 {"pictures", c.pictures}};
    if (c.learning_rate.by_user) json["rate_by_user"] = true;
    return json;
}

LearningChoice parse_choice(const Json& json) {
    LearningChoice c;
    c.size = value_of(size_names, json.at("size"));
    if (json.contains("patch")) c.patch = whole(json.at("patch").get<double>());
    if (json.contains("scenes")) c.scenes = value_of(scenes_names, json.at("scenes"));
    c.activation = value_of(activation_names, json.at("activation"));
    c.norm = value_of(norm_names, json.at("norm"));
    json.at("skips").get_to(c.skips);
    json.at("positions").get_to(c.positions);
    c.optimiser = value_of(optimiser_names, json.at("optimiser"));
    c.learning_rate = {json.at("learning_rate").get<float>(), json.value("rate_by_user", false)};
    c.batch = whole(json.at("batch").get<double>());
    json.at("dropout").get_to(c.dropout);
    json.at("minutes").get_to(c.minutes);
    if (json.contains("distinct")) c.distinct = whole(json.at("distinct").get<double>());
    if (json.contains("pictures")) c.pictures = whole(json.at("pictures").get<double>());
    if (c.patch != 4 && c.patch != 8) throw Error("patches of a training run have 4 or 8 pixels");
    const bool counts = c.distinct >= 0 && c.pictures >= 0;
    const bool possible = counts && c.learning_rate > 0 && c.learning_rate < 1 && c.batch >= 1 && c.batch <= 1024 &&
                          c.dropout >= 0 && c.dropout <= 0.9F && c.minutes > 0 && c.minutes <= 600;
    if (!possible) throw Error("a rate, batch, dropout or time of a training run is outside the range");
    return c;
}

std::array<LearningChoice, 2> read_choices(const Json& json) {
    std::array<LearningChoice, 2> choices = {parse_choice(json.at(0)), parse_choice(json.at(1))};
    choices[1].scenes = choices[0].scenes;
    return choices;
}

constexpr float recording_seconds = 8;  // duration of playback

}  // namespace

void LearningState::choose_subject(std::optional<TextTask> task) {
    if (texts != task.has_value()) scrub.reset();
    texts = task.has_value();
    if (task && *task != text.task()) {
        if (!text.is_usual()) text.keep_own();
        text.choose(*task);
    }
    if (texts) recorded = playing = false;
}

template <class Family>
std::vector<typename Family::Recipe> ChosenRuns<Family>::recipes() const {
    std::vector<typename Family::Recipe> list = {recipe_of(choices[0])};
    if (two) list.push_back(recipe_of(choices[1]));
    return list;
}

template <class Family>
const Preset<Family>* experiment_of(const ChosenRuns<Family>& runs) {
    const auto is_it = [&](const Preset<Family>& p) { return runs.choices[0] == p.a && runs.choices[1] == p.b; };
    const auto found = std::ranges::find_if(presets<Family>(), is_it);
    return !runs.two || found == presets<Family>().end() ? nullptr : &*found;
}

template const Preset<Pictures>* experiment_of(const ChosenRuns<Pictures>& runs);
template const Preset<Texts>* experiment_of(const ChosenRuns<Texts>& runs);
template struct ChosenRuns<Pictures>;
template struct ChosenRuns<Texts>;

std::vector<Recipe> LearningState::recipes() const { return study ? study_recipes({}) : ChosenRuns::recipes(); }

void LearningState::keep_own() {
    const bool usual = !two && choices[0] == LearningChoice();
    if (!study && experiment_of<Pictures>(*this) == nullptr && !(usual && kept)) kept = {choices, two};
}

void LearningState::go_back_to_own() {
    take_kept();
    study = recorded = playing = false;
    scrub.reset();
}

std::string to_json(const LearningState& s) {
    Json json = chosen_json(s, choice_json);
    json.update({{"study", s.study},
                 {"block", s.block},
                 {"head", s.head ? Json(*s.head) : Json()},
                 {"scrub", s.scrub ? Json(*s.scrub) : Json()},
                 {"recorded", s.recorded},
                 {"played", s.played},
                 {"playing", s.playing},
                 {"texts", s.texts},
                 {"text", Json::parse(to_json(s.text))}});
    return json.dump();
}

LearningState parse_learning(const std::string& words) {
    const std::string refusal = "'" + words + "' says nothing about training runs; record again";
    if (nests_too_deeply(words)) throw Error(refusal);
    try {
        const Json json = Json::parse(words);
        LearningState s;
        s.study = json.value("study", false);
        read_chosen(json, read_choices, !s.study, s);
        const auto number = [](const Json& value) { return whole(value.get<double>()); };
        s.block = std::max(0, number(json.at("block")));
        if (!json.at("head").is_null()) s.head = std::max(0, number(json.at("head")));
        if (!json.at("scrub").is_null()) s.scrub = std::clamp(json.at("scrub").get<float>(), 0.0F, 1.0F);
        s.recorded = json.value("recorded", false) && experiment_of(s) != nullptr;
        s.played = std::clamp(json.value("played", 0.0F), 0.0F, 1.0F);
        s.playing = json.value("playing", false);
        s.texts = json.value("texts", false);
        if (json.contains("text")) s.text = text_learning_from_json(json.at("text").dump());
        return s;
    } catch (const Json::exception&) {
        throw Error(refusal);
    }
}

const Preset<Pictures>* experiment_of(const LearningState& state) {
    return state.texts || state.study ? nullptr : experiment_of<Pictures>(state);
}

bool shows_duration(const LearningState& s) {
    return s.texts ? !s.text.own && experiment_of(s.text) != nullptr
                   : !s.own && !s.recorded && experiment_of(s) != nullptr;
}

const std::vector<std::string>& runs_to_choose() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = {"plain"};
        for (const auto& preset : presets<Pictures>()) all.emplace_back(preset.id);
        all.emplace_back("nets");
        for (const auto& task : text_task_names) all.emplace_back(task.name);
        for (const auto& preset : presets<Texts>()) all.emplace_back(preset.id);
        return all;
    }();
    return names;
}

namespace {

/// Chooses text Transformers by a name; false if the name is not one of theirs.
bool choose_texts(LearningState& state, std::string_view name) {
    const Preset<Texts>* const preset = preset_named<Texts>(name);
    const std::optional<TextTask> task = value_in(text_task_names, name);
    if (preset == nullptr && !task) return false;
    state.texts = true;
    if (preset != nullptr || !state.text.is_usual()) state.text.keep_own();
    state.text.choose(preset != nullptr ? preset->a.task : *task);
    state.text.own = preset == nullptr;
    state.text.two = preset != nullptr;
    if (preset != nullptr) state.text.choices = {preset->a, preset->b};
    return true;
}

}  // namespace

void choose_runs(LearningState& state, std::string_view name) {
    state.scrub.reset();
    state.recorded = state.playing = false;
    state.played = 0;
    if (choose_texts(state, name)) return;
    state.texts = false;
    state.keep_own();
    const Preset<Pictures>* const preset = preset_named<Pictures>(name);
    state.choices = preset != nullptr ? std::array{preset->a, preset->b} : std::array<LearningChoice, 2>();
    state.two = preset != nullptr;
    state.study = name == "nets";
    state.edited = 0;
    state.own = preset == nullptr && !state.study;
}

bool has_kept(const LearningState& state) { return state.texts ? state.text.has_kept() : state.kept.has_value(); }

void go_back_to_own(LearningState& state) {
    if (!has_kept(state)) return;
    state.texts ? state.text.go_back_to_own() : state.go_back_to_own();
}

bool is_playing(const LearningState& state) { return state.recorded && state.playing; }

void play_recording(LearningState& state, float seconds, bool motions) {
    if (!is_playing(state)) return;
    state.played = motions ? std::min(1.0F, state.played + seconds / recording_seconds) : 1;
    state.playing = state.played < 1;
}

}  // namespace vitrine
