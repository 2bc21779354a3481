#include "app/rooms/learning/learning_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/names.h"
#include "core/training/net_study.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

// What stands in recordings: names, never an enumeration's number.
constexpr Named<LearningSize> size_names[] = {
    {LearningSize::tiny, "tiny"}, {LearningSize::standard, "standard"}, {LearningSize::deep, "deep"}};
constexpr Named<Activation> activation_names[] = {
    {Activation::gelu, "gelu"}, {Activation::relu, "relu"}, {Activation::elu, "elu"}};
constexpr Named<Norm> norm_names[] = {{Norm::before, "before"}, {Norm::after, "after"}, {Norm::none, "none"}};

template <class T, std::size_t n>
T value_of(const Named<T> (&list)[n], const Json& name) {
    const std::optional<T> value = value_in(list, name.get<std::string>());
    if (!value) throw Error(name.dump() + " is no choice for a model that learns; there are " + listed(names_of(list)));
    return *value;
}

Json choice_json(const LearningChoice& c) {
    return {{"size", name_in(size_names, c.size)},
            {"scenes", name_of(c.scenes)},
            {"activation", name_in(activation_names, c.activation)},
            {"norm", name_in(norm_names, c.norm)},
            {"skips", c.skips},
            {"positions", c.positions},
            {"optimiser", name_in(optimiser_names, c.optimiser)},
            {"learning_rate", c.learning_rate},
            {"batch", c.batch},
            {"dropout", c.dropout},
            {"distinct", c.distinct},
            {"minutes", c.minutes},
            {"pictures", c.pictures}};
}

LearningChoice parse_choice(const Json& json) {
    LearningChoice c;
    c.size = value_of(size_names, json.at("size"));
    if (json.contains("scenes")) c.scenes = value_of(scenes_names, json.at("scenes"));
    c.activation = value_of(activation_names, json.at("activation"));
    c.norm = value_of(norm_names, json.at("norm"));
    json.at("skips").get_to(c.skips);
    json.at("positions").get_to(c.positions);
    c.optimiser = value_of(optimiser_names, json.at("optimiser"));
    json.at("learning_rate").get_to(c.learning_rate);
    c.batch = whole(json.at("batch").get<double>());
    json.at("dropout").get_to(c.dropout);
    json.at("minutes").get_to(c.minutes);
    if (json.contains("distinct")) c.distinct = whole(json.at("distinct").get<double>());
    if (json.contains("pictures")) c.pictures = whole(json.at("pictures").get<double>());
    const bool counts = c.distinct >= 0 && c.pictures >= 0;
    const bool possible = counts && c.learning_rate > 0 && c.learning_rate < 1 && c.batch >= 1 && c.batch <= 1024 &&
                          c.dropout >= 0 && c.dropout <= 0.9F && c.minutes > 0 && c.minutes <= 600;
    if (!possible) throw Error("a rate, batch, dropout or time of a model that learns lies outside what can be chosen");
    return c;
}

constexpr int few_pictures = 1000;  // so few that they are learned by heart

/// Pictures of 32 pixels in patches of 4: as many tokens as the bundled model has, learned in two thirds of the time.
void set_size(LearningSize size, Config& c) {
    c.image_height = c.image_width = 32;
    c.patch_size = 4;
    switch (size) {
        case LearningSize::tiny:
            c.embedding_dim = 48;
            c.blocks = c.heads = 3;
            break;
        case LearningSize::standard: return;
        case LearningSize::deep:
            c.embedding_dim = 48;
            c.heads = 3;
            c.blocks = 12;
            break;
    }
    c.mlp_dim = 2 * c.embedding_dim;
}

}  // namespace

Recipe recipe_of(const LearningChoice& choice) {
    Recipe r = standard_recipe();
    choose_pictures(r, {.scenes = choice.scenes});
    set_size(choice.size, r.model);
    r.model.activation = choice.activation;
    r.model.norm = choice.norm;
    r.model.skips = choice.skips;
    r.model.positions = choice.positions;
    r.optimiser = choice.optimiser;
    r.learning_rate = static_cast<double>(choice.learning_rate);
    r.batch = choice.batch;
    r.dropout = static_cast<double>(choice.dropout);
    if (choice.distinct > 0) r.distinct_pictures = static_cast<std::uint64_t>(choice.distinct);
    if (choice.pictures > 0)
        r.promised_pictures = static_cast<std::uint64_t>(choice.pictures);
    else
        r.promised_seconds = static_cast<double>(choice.minutes) * 60;
    return r;
}

std::vector<Recipe> LearningState::recipes() const {
    if (study) return study_recipes({});
    std::vector<Recipe> list = {recipe_of(choices[0])};
    if (two) list.push_back(recipe_of(choices[1]));
    return list;
}

std::string to_json(const LearningState& s) {
    Json json = {{"choices", {choice_json(s.choices[0]), choice_json(s.choices[1])}},
                 {"two", s.two},
                 {"study", s.study},
                 {"edited", s.edited},
                 {"block", s.block},
                 {"head", s.head ? Json(*s.head) : Json()},
                 {"scrub", s.scrub ? Json(*s.scrub) : Json()}};
    return json.dump();
}

LearningState parse_learning(const std::string& words) {
    try {
        const Json json = Json::parse(words);
        LearningState s;
        for (std::size_t i = 0; i < s.choices.size(); ++i) s.choices[i] = parse_choice(json.at("choices").at(i));
        s.choices[1].scenes = s.choices[0].scenes;
        json.at("two").get_to(s.two);
        s.study = json.value("study", false);
        const auto number = [](const Json& value) { return whole(value.get<double>()); };
        s.edited = std::clamp(number(json.at("edited")), 0, 1);
        s.block = std::max(0, number(json.at("block")));
        if (!json.at("head").is_null()) s.head = std::max(0, number(json.at("head")));
        if (!json.at("scrub").is_null()) s.scrub = std::clamp(json.at("scrub").get<float>(), 0.0F, 1.0F);
        return s;
    } catch (const Json::exception&) {
        throw Error("'" + words + "' says nothing about models that learn; record anew");
    }
}

const std::vector<std::string>& runs_to_choose() {
    static const std::vector<std::string> names = {"plain",  "dropout",    "skips",     "norms",
                                                   "wiring", "activation", "positions", "nets"};
    return names;
}

void choose_runs(LearningState& state, std::string_view lesson) {
    LearningChoice a, b;
    if (lesson == "skips" || lesson == "norms" || lesson == "wiring") a.size = b.size = LearningSize::deep;
    if (lesson == "dropout") {
        a.size = b.size = LearningSize::tiny;
        a.distinct = b.distinct = few_pictures;
        a.pictures = b.pictures = counted_pictures;
        a.optimiser = b.optimiser = Optimiser::adamw;
        a.learning_rate = b.learning_rate = 0.002F;
        b.dropout = 0.1F;
    }
    if (lesson == "skips") b.skips = false;
    if (lesson == "norms") b.norm = Norm::none;
    if (lesson == "wiring") b.norm = Norm::after;
    if (lesson == "activation") b.activation = Activation::relu;
    if (lesson == "positions") b.positions = false;
    state.choices = {a, b};
    state.two = !(a == b);
    state.study = lesson == "nets";
    state.edited = 0;
    state.scrub.reset();
}

}  // namespace vitrine
