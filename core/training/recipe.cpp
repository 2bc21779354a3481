#include "core/training/recipe.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/random.h"
#include "core/transformer/trained_positions.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

namespace {

constexpr const char* mixed_word = "mixed";

/// A standard normal number, truncated at two standard deviations.
float truncated_normal(Random& random) {
    float x = random.normal();
    while (std::fabs(x) > 2) x = random.normal();
    return x;
}

/// Sines and cosines of each patch's column and row, in D/4 frequencies each, from 1 down to 1/100, scaled by half.
void place_on_grid(const Config& c, float* position) {
    const int frequencies = c.embedding_dim / 4;
    for (int patch = 0; patch < c.patches(); ++patch) {
        const int column = patch % c.grid_width(), row = patch / c.grid_width();
        float* const e = position + (c.first_patch_position() + patch) * c.embedding_dim;
        for (int i = 0; i < frequencies; ++i) {
            const double frequency = std::pow(100.0, -static_cast<double>(i) / frequencies);
            e[i] = static_cast<float>(0.5 * std::sin(column * frequency));
            e[frequencies + i] = static_cast<float>(0.5 * std::cos(column * frequency));
            e[2 * frequencies + i] = static_cast<float>(0.5 * std::sin(row * frequency));
            e[3 * frequencies + i] = static_cast<float>(0.5 * std::cos(row * frequency));
        }
    }
}

/// The element of `all` with this name. Throws Error if there is none.
template <class T>
T named(const std::string& word, std::initializer_list<T> all) {
    for (const T value : all)
        if (word == name_of(value)) return value;
    throw Error("\"" + word + "\"");
}

template <class T, std::size_t n>
T named(const std::string& word, const Named<T> (&list)[n]) {
    if (const std::optional<T> value = value_in(list, word)) return *value;
    throw Error("\"" + word + "\"");
}

/// The optional biases of a block's queries, keys and values, with their names in a recipe.
struct NamedBias {
    const char* name;
    bool Config::*bias;
};
constexpr NamedBias biases[] = {
    {"query_bias", &Config::query_bias}, {"key_bias", &Config::key_bias}, {"value_bias", &Config::value_bias}};

/// Reads positions by name; recipes of earlier versions have a boolean instead: learned or none.
Positions positions_of(const nlohmann::json& json) {
    if (json.is_boolean()) return json.get<bool>() ? Positions::learned : Positions::none;
    return named(json.get<std::string>(), trained_positions);
}

}  // namespace

Recipe standard_recipe() {
    Recipe r;
    Config& c = r.model;
    c.image_height = c.image_width = 64;
    c.patch_size = 8;
    c.embedding_dim = 64;
    c.heads = 4;
    c.blocks = 4;
    c.mlp_dim = 128;
    choose_pictures(r, r.pictures);
    return r;
}

void choose_pictures(Recipe& recipe, const PictureSet& pictures) {
    recipe.pictures = pictures;
    recipe.model.labels = picture_classes(pictures.pairs, pictures.scenes);
    recipe.model.classes = static_cast<int>(recipe.model.labels.size());
}

Model untrained_model(const Recipe& recipe) {
    const Config& c = recipe.model;
    FlatWeights flat(c);
    const Weights& w = flat.weights();
    Random random(recipe.seed);
    const auto fill = [&](const Parameter& p, double deviation) {
        std::generate_n(flat.at(p), p.size(), [&] { return static_cast<float>(deviation) * truncated_normal(random); });
    };
    const auto one = [&](const LayerNormWeights& norm) { std::fill_n(flat.at(norm.gamma), norm.gamma.size(), 1.0F); };

    const double deviation = std::min(0.02 * std::sqrt(384.0 / c.embedding_dim), 0.05);
    const double residual_deviation =
        c.skips ? deviation / std::sqrt(2.0 * c.blocks) : deviation;  // 2 L branches are summed
    if (!w.leading.empty()) fill(w.leading, 0.02);
    fill(w.patch_embedding.weight, 1 / std::sqrt(static_cast<double>(c.patch_dim())));
    if (c.positions != Positions::none) place_on_grid(c, flat.at(w.position));
    for (const BlockWeights& b : w.blocks) {
        one(b.ln1);
        one(b.ln2);
        for (const LinearWeights* const linear : {&b.query, &b.key, &b.value, &b.mlp_in})
            fill(linear->weight, deviation);
        for (const LinearWeights* const linear : {&b.projection, &b.mlp_out}) fill(linear->weight, residual_deviation);
    }
    one(w.norm);

    Model model;
    model.config = c;
    model.weights = w;
    model.preprocessing = picture_preprocessing(c.image_height);
    model.provenance = {"untrained", "", "Vitrine's trainer", {}, {}, {}, name_of(recipe.pictures.scenes)};
    return model;
}

Preprocessing picture_preprocessing(int size) {
    Preprocessing p;
    p.resize_height = p.resize_width = size;
    p.mean.assign(3, 0.5);
    p.std.assign(3, 5.0 / 18);  // about that of the pictures
    return p;
}

std::vector<std::string> difficulty_words() {
    std::vector<std::string> words = names_of(difficulty_names);
    words.emplace_back(mixed_word);
    return words;
}

std::string difficulty_word(const PictureSet& set) { return set.mixed ? mixed_word : name_of(set.difficulty); }

void set_difficulty(PictureSet& set, const std::string& word) {
    set.mixed = word == mixed_word;
    if (!set.mixed) set.difficulty = named(word, difficulty_names);
}

std::string to_json(const Recipe& r) {
    const Config &c = r.model, usual;
    nlohmann::ordered_json j = {{"image_size", c.image_height},
                                {"patch_size", c.patch_size},
                                {"embedding_dim", c.embedding_dim},
                                {"blocks", c.blocks},
                                {"heads", c.heads},
                                {"mlp_dim", c.mlp_dim},
                                {"activation", name_of(c.activation)},
                                {"norm", name_of(c.norm)},
                                {"skips", c.skips},
                                {"positions", name_in(trained_positions, c.positions)},
                                {"scenes", name_of(r.pictures.scenes)},
                                {"pairs", r.pictures.pairs},
                                {"difficulty", difficulty_word(r.pictures)},
                                {"picture_seed", r.pictures.seed}};
    write_optimiser(j, r);
    j["dropout"] = r.dropout;
    j["batch"] = r.batch;
    j["seed"] = r.seed;
    for (const auto& [name, bias] : biases)
        if (c.*bias != usual.*bias) j[name] = c.*bias;
    if (c.layer_norm_epsilon != usual.layer_norm_epsilon) j["layer_norm_epsilon"] = c.layer_norm_epsilon;
    if (!r.from.empty()) j["from"] = r.from;
    if (r.distinct_pictures) j["distinct"] = *r.distinct_pictures;
    write_budget(j, r, Pictures::examples);
    return j.dump();
}

Recipe recipe_from_json(const std::string& text, const std::string& name) {
    try {
        const auto j = nlohmann::json::parse(text);
        Recipe r = standard_recipe();
        Config& c = r.model;
        const auto number = [&](const char* what) { return whole(j.at(what).get<double>()); };
        c.image_height = c.image_width = number("image_size");
        c.patch_size = number("patch_size");
        c.embedding_dim = number("embedding_dim");
        c.blocks = number("blocks");
        c.heads = number("heads");
        c.mlp_dim = number("mlp_dim");
        for (const auto& [key, bias] : biases) {
            if (j.contains("qkv_bias")) c.*bias = j.at("qkv_bias");  // earlier versions: one value for all three
            if (j.contains(key)) c.*bias = j.at(key);
        }
        if (j.contains("layer_norm_epsilon")) c.layer_norm_epsilon = j.at("layer_norm_epsilon");
        c.activation = named(j.at("activation"), {Activation::gelu, Activation::gelu_tanh, Activation::quick_gelu,
                                                  Activation::relu, Activation::elu});
        c.norm = named(j.at("norm"), {Norm::before, Norm::after, Norm::none});
        c.skips = j.at("skips");
        c.positions = positions_of(j.at("positions"));
        r.pictures.pairs = j.at("pairs");
        set_difficulty(r.pictures, j.at("difficulty"));
        if (j.contains("scenes")) r.pictures.scenes = named(j.at("scenes"), scenes_names);
        r.pictures.seed = j.at("picture_seed");
        choose_pictures(r, r.pictures);
        read_run(j, r, Pictures::examples);
        r.dropout = j.at("dropout");
        if (j.contains("from")) r.from = j.at("from");
        if (j.contains("distinct")) r.distinct_pictures = j.at("distinct").get<std::uint64_t>();
        check(r);
        return r;
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it does not hold the settings of a training run; start a new run in another folder");
    } catch (const Error& error) {
        throw Error(name + ": a setting of the run is unknown or out of range (" + error.what() +
                    "); start a new run in another folder");
    }
}

void check(const Recipe& r) {
    const Config& c = r.model;
    const auto refuse = [](const std::string& words) { throw Error(words); };
    check_range("the image size", c.image_height, 8, 1024);
    check_range("the patch size", c.patch_size, 1, c.image_height);
    check_range("the embedding length D", c.embedding_dim, 4, 4096);
    check_range("the number of blocks", c.blocks, 1, 64);
    check_range("the number of heads", c.heads, 1, c.embedding_dim);
    check_range("the MLP's width", c.mlp_dim, 1, 16384);
    check_range("the layer norms' ε", static_cast<double>(c.layer_norm_epsilon), 0, 1);
    check_run(r, "picture");
    check_range("dropout", r.dropout, 0, 0.9);
    if (r.distinct_pictures)
        check_range("the number of distinct pictures", static_cast<double>(*r.distinct_pictures), 1, 1e15);
    if (c.image_height % c.patch_size != 0)
        refuse("the image size " + std::to_string(c.image_height) + " is not a multiple of the patch size " +
               std::to_string(c.patch_size) + "; choose sizes that divide");
    if (c.embedding_dim % c.heads != 0)
        refuse("D = " + std::to_string(c.embedding_dim) + " is not a multiple of " + std::to_string(c.heads) +
               " heads; choose numbers that divide");
    if (c.embedding_dim % 4 != 0)
        refuse("D = " + std::to_string(c.embedding_dim) + " is not a multiple of 4, which the first positions need");
    if (c.patches() > 4096) refuse("that makes more than 4,096 patches; choose a larger patch or a smaller image");
}

}  // namespace vitrine
