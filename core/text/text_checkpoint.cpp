#include "core/text/text_checkpoint.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/json_limits.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"
#include "core/transformer/trained_positions.h"

namespace vitrine {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char *config_file = "config.json", *words_file = "vocabulary.json", *weights_file = "model.safetensors";
constexpr const char* model_type = "vitrine_text";
constexpr const char* remedy = "; make it again with vitrine train --task";
constexpr std::size_t most_bytes = std::size_t{1} << 24;  // for configuration and words

[[noreturn]] void refuse(const std::string& name, const std::string& what) { throw Error(name + ": " + what + remedy); }

nlohmann::json parsed(const std::string& text, const std::string& name) {
    if (nests_too_deeply(text)) refuse(name, "it nests more deeply than any of ours");
    nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) refuse(name, "this is not a JSON object");
    return json;
}

std::string text_of(const std::filesystem::path& path) {
    const InputFile file(path);
    if (!file.is_regular() || file.size() > most_bytes) refuse(path.string(), "this is not a file of a text model");
    std::string text(file.size(), '\0');
    file.read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    return text;
}

void write_json(const std::filesystem::path& path, const OrderedJson& json) {
    replace_file(path, sealed(json.dump(2) + "\n"));
}

OrderedJson json_of(const TextConfig& c) {
    return {{"shape", name_in(text_shapes, c.shape)},
            {"embedding_dim", c.embedding_dim},
            {"heads", c.heads},
            {"blocks", c.blocks},
            {"decoder_blocks", c.decoder_blocks},
            {"mlp_dim", c.mlp_dim},
            {"activation", name_of(c.activation)},
            {"norm", name_of(c.norm)},
            {"layer_norm_epsilon", std::stod(OrderedJson(c.layer_norm_epsilon).dump())},
            {"skips", c.skips},
            {"scaled", c.scaled},
            {"positions", name_in(trained_positions, c.positions)},
            {"longest", c.longest},
            {"causal", c.causal},
            {"names_it", c.names_it}};
}

/// The element of `all` named by a key's value.
template <class T>
T named(const nlohmann::json& json, const char* key, std::initializer_list<T> all) {
    const std::string word = json.at(key);
    for (const T value : all)
        if (word == name_of(value)) return value;
    throw Error(std::string("\"") + key + "\" is \"" + word + "\"");
}
template <class T, std::size_t n>
T named(const nlohmann::json& json, const char* key, const Named<T> (&list)[n]) {
    const std::string word = json.at(key);
    if (const std::optional<T> value = value_in(list, word)) return *value;
    throw Error(std::string("\"") + key + "\" is \"" + word + "\"");
}

TextConfig config_of(const nlohmann::json& json) {
    const auto number = [&](const char* key) { return whole(json.at(key).get<double>()); };
    TextConfig c;
    c.shape = named(json, "shape", text_shapes);
    c.embedding_dim = number("embedding_dim");
    c.heads = number("heads");
    c.blocks = number("blocks");
    c.decoder_blocks = number("decoder_blocks");
    c.mlp_dim = number("mlp_dim");
    c.activation =
        named(json, "activation",
              {Activation::gelu, Activation::gelu_tanh, Activation::quick_gelu, Activation::relu, Activation::elu});
    c.norm = named(json, "norm", {Norm::before, Norm::after, Norm::none});
    c.layer_norm_epsilon = json.at("layer_norm_epsilon");
    c.skips = json.at("skips");
    c.scaled = json.at("scaled");
    c.positions = named(json, "positions", trained_positions);
    c.longest = number("longest");
    c.causal = json.at("causal");
    c.names_it = json.at("names_it");
    check(c);
    return c;
}

TextConfig config_of(const nlohmann::json& json, const std::string& name) {
    try {
        return config_of(json);
    } catch (const nlohmann::json::exception&) {
        refuse(name, "it does not say all that a text model is");
    } catch (const Error& error) {
        refuse(name, std::string("no text model is like that (") + error.what() + ")");
    }
}

/// Rejects a task that does not fit the shape, since its readers expect other outputs.
void check_purpose(const TextModel& model, const std::string& name) {
    const TextShape shape = usual_text_config(model.task, model.to).shape;
    if (model.config.shape != shape)
        refuse(name, std::string("\"task\" is \"") + name_of(model.task) + "\", which a model of the shape \"" +
                         name_in(text_shapes, shape) + "\" does, but \"shape\" is \"" +
                         name_in(text_shapes, model.config.shape) + "\"");
}

/// Reads the task, the target language and the labels from config.json.
void read_purpose(const nlohmann::json& json, const std::string& name, TextModel& model) {
    try {
        model.task = named(json, "task", text_task_names);
        model.to = named(json, "to", text_language_names);
        json.at("labels").get_to(model.labels);
    } catch (const nlohmann::json::exception&) {
        refuse(name, "it does not say what the model is for");
    } catch (const Error& error) {
        refuse(name, error.what());
    }
    constexpr std::size_t most_classes = 1000;
    if (model.labels.size() > most_classes) refuse(name, "it has too many labels");
    model.config.classes = static_cast<int>(model.labels.size());
    if ((model.config.shape == TextShape::classifier) != (model.labels.size() > 1))
        refuse(name, "a classifier has labels, at least two, and no other model has any");
    check_purpose(model, name);
}

/// Reads one side's vocabulary, which some models lack, and returns its size.
int read_words(const nlohmann::json& json, const std::string& name, const char* side, Vocabulary& vocabulary) {
    if (!json.contains(side)) return 0;
    try {
        vocabulary = vocabulary_from_json(json.at(side).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } catch (const Error& error) {
        refuse(name, std::string(side) + ": " + error.what());
    }
    return vocabulary.size();
}

void read_vocabularies(const std::string& text, const std::string& name, TextModel& model) {
    const nlohmann::json json = parsed(text, name);
    TextConfig& c = model.config;
    c.source_words = read_words(json, name, "source", model.source);
    c.target_words = read_words(json, name, "target", model.target);
    if (c.has_encoder() != (c.source_words > 0) || c.has_decoder() != (c.target_words > 0))
        refuse(name, "an encoder has a source's words and a decoder a target's, and no other model has them");
}

std::string shape_words(const std::vector<std::size_t>& shape) {
    std::string words;
    for (const std::size_t n : shape) words += (words.empty() ? "" : " × ") + std::to_string(n);
    return words;
}

/// Rejects a configuration that needs far more numbers than the file has, before allocating memory for them.
void check_size(const Safetensors& file, const TextConfig& config) {
    std::size_t held = 0;
    for (const auto& [name, entry] : file.entries()) held += entry.bytes;
    constexpr std::size_t small = std::size_t{1} << 22;  // up to here a missing tensor is reported by name
    const std::size_t asked = count_text_weights(config);
    if (asked > small && asked / 2 > held)
        refuse(file.name(), "it holds " + std::to_string(held) + " bytes where config.json asks for " +
                                std::to_string(asked) + " numbers");
}

TextWeights weights_from(const Safetensors& file, const TextConfig& config) {
    check_size(file, config);
    FlatTextWeights flat(config);
    std::set<std::string> used;
    for (const NamedParameter& p : parameters_of(flat.weights())) {
        const auto found = file.entries().find(p.name);
        if (found == file.entries().end()) refuse(file.name(), "the tensor \"" + p.name + "\" is missing");
        if (found->second.shape != p.parameter.shape())
            refuse(file.name(), "\"" + p.name + "\" is " + shape_words(found->second.shape) +
                                    " where config.json asks for " + shape_words(p.parameter.shape()));
        std::copy_n(file.floats(p.name).get(), p.parameter.size(), flat.at(p.parameter));
        used.insert(p.name);
    }
    for (const auto& [name, entry] : file.entries())
        if (!used.contains(name)) refuse(file.name(), "it holds an unknown tensor, \"" + name + "\"");
    return flat.weights();
}

}  // namespace

std::string to_json(const TextConfig& config) { return json_of(config).dump(); }

TextConfig text_config_from_json(const std::string& text, const std::string& name) {
    return config_of(parsed(text, name), name);
}

void check(const TextConfig& c) {
    const auto within = [](const char* what, int value, int least, int most) {
        if (value >= least && value <= most) return;
        throw Error(std::string(what) + " is " + std::to_string(value) + " but must be between " +
                    std::to_string(least) + " and " + std::to_string(most));
    };
    const bool encodes = c.shape != TextShape::language_model, decodes = c.shape != TextShape::classifier;
    within("the embedding length D", c.embedding_dim, 2, 4096);
    within("the number of heads", c.heads, 1, c.embedding_dim);
    within("the number of the encoder's blocks", c.blocks, encodes ? 1 : 0, encodes ? 64 : 0);
    within("the number of the decoder's blocks", c.decoder_blocks, decodes ? 1 : 0, decodes ? 64 : 0);
    within("the MLP's width", c.mlp_dim, 1, 16384);
    within("the longest text", c.longest, 2, 4096);
    if (c.embedding_dim % c.heads != 0)
        throw Error("D = " + std::to_string(c.embedding_dim) + " is not a multiple of " + std::to_string(c.heads) +
                    " heads; choose numbers that divide");
    if (c.embedding_dim % 2 != 0)
        throw Error("D = " + std::to_string(c.embedding_dim) + " is odd, but sines and cosines come in pairs");
    if (!(c.layer_norm_epsilon >= 0) || c.layer_norm_epsilon > 1) throw Error("ε of the layer norms is out of range");
    if (c.names_it && !c.has_cross()) throw Error("only a translation's encoder names the noun of \"it\"");
}

void save_text_model(const TextModel& model, const std::filesystem::path& folder, Precision precision) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + "); choose another place");
    std::vector<NamedTensor> tensors;
    for (const NamedParameter& p : parameters_of(model.weights))
        tensors.push_back({p.name, p.parameter.shape(), p.parameter.data()});
    write_safetensors(folder / weights_file, tensors, {.half = precision == Precision::f16, .metadata = {}});
    OrderedJson words = {{"software", software_name}};
    if (model.config.has_encoder()) words["source"] = OrderedJson::parse(to_json(model.source));
    if (model.config.has_decoder()) words["target"] = OrderedJson::parse(to_json(model.target));
    write_json(folder / words_file, words);
    OrderedJson config = {{"model_type", model_type},
                          {"software", software_name},
                          {"task", name_of(model.task)},
                          {"to", name_of(model.to)},
                          {"labels", model.labels}};
    config.update(json_of(model.config));
    write_json(folder / config_file, config);
}

TextModel load_text_model(const TextModelFiles& files) {
    const std::string config_name = files.name + "/" + config_file;
    const nlohmann::json config = parsed(files.config_json, config_name);
    if (config.value("model_type", nlohmann::json()) != model_type) refuse(config_name, "this is not a text model's");
    TextModel model;
    model.config = config_of(config, config_name);
    read_purpose(config, config_name, model);
    read_vocabularies(files.vocabulary_json, files.name + "/" + words_file, model);
    model.weights = weights_from(files.weights, model.config);
    return model;
}

TextModel load_text_model(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        refuse(folder.string(), "this is not a text model folder (config.json, vocabulary.json, model.safetensors)");
    const std::string config = text_of(folder / config_file), words = text_of(folder / words_file);
    return load_text_model({folder.string(), Safetensors::open(folder / weights_file), config, words});
}

std::vector<std::filesystem::path> files_of_text_model(const std::filesystem::path& folder) {
    return {folder / weights_file, folder / config_file, folder / words_file};
}

bool is_text_model(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(folder / words_file, ignored);
}

}  // namespace vitrine
