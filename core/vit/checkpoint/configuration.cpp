#include "core/vit/checkpoint/configuration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/vit/checkpoint/siglip.h"

namespace vitrine {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr double timm_crop_share = 0.9;  // timm's default for Vision Transformers without crop_pct

/// A JSON file and its name, for messages.
struct File {
    std::string name;
    Json json;
};

[[noreturn]] void refuse(const File& file, const std::string& key, const std::string& what) {
    throw Error(file.name + ": \"" + key + "\" " + what);
}

File parse(const std::string& text, const std::string& name) {
    if (text.empty()) return {name, Json::object()};
    if (nests_too_deeply(text))
        throw Error(name + ": this nests more deeply than a configuration; get the file from the model's page again");
    try {
        File file{name, Json::parse(text)};
        if (!file.json.is_object())
            throw Error(name + ": this is not a JSON object; get the file from the model's page again");
        return file;
    } catch (const Json::exception&) {
        throw Error(name + ": this is not valid JSON; get the file from the model's page again");
    }
}

bool has(const File& file, const char* key) { return file.json.contains(key) && !file.json[key].is_null(); }

int whole_number(const File& file, const std::string& key, const Json& value, int least) {
    constexpr double most = 1 << 20;
    if (!value.is_number() || value.get<double>() < least || value.get<double>() > most ||
        std::floor(value.get<double>()) != value.get<double>())
        refuse(file, key, "should be a whole number from " + std::to_string(least) + " on; correct it");
    return static_cast<int>(value.get<double>());
}

int positive(const File& file, const std::string& key, const Json& value) { return whole_number(file, key, value, 1); }

std::optional<int> positive(const File& file, const char* key) {
    if (!has(file, key)) return {};
    return positive(file, key, file.json[key]);
}

/// 224, [224, 224] or {"height": 224, "width": 224}.
std::pair<int, int> size_of(const File& file, const std::string& key, const Json& value) {
    if (value.is_array() && value.size() == 2) return {positive(file, key, value[0]), positive(file, key, value[1])};
    if (value.is_object() && value.contains("height") && value.contains("width"))
        return {positive(file, key, value["height"]), positive(file, key, value["width"])};
    const int side = positive(file, key, value);
    return {side, side};
}

double number(const File& file, const char* key) {
    if (!file.json[key].is_number()) refuse(file, key, "should be a number; correct it");
    return file.json[key].get<double>();
}

/// One number for each channel, or one for all.
std::vector<double> numbers(const File& file, const char* key) {
    std::vector<double> values;
    const Json& list = file.json[key];
    for (const Json& value : list.is_array() ? list : Json::array({list})) {
        if (!value.is_number()) refuse(file, key, "should be a list of numbers; correct it");
        values.push_back(value.get<double>());
    }
    if (values.size() != 1 && values.size() != 3) refuse(file, key, "should be a list of 1 or 3 numbers; correct it");
    return values;
}

std::string word(const File& file, const char* key, const char* otherwise) {
    if (!has(file, key)) return otherwise;
    if (!file.json[key].is_string()) refuse(file, key, "should be a word in quotes; correct it");
    return file.json[key].get<std::string>();
}

bool flag(const File& file, const char* key, bool otherwise) {
    if (!has(file, key)) return otherwise;
    if (!file.json[key].is_boolean()) refuse(file, key, "should be true or false; correct it");
    return file.json[key].get<bool>();
}

std::optional<Activation> activation_of(const File& file, const char* key) {
    if (!has(file, key)) return {};
    static const std::map<std::string, Activation> words = {{"gelu", Activation::gelu},
                                                            {"gelu_new", Activation::gelu_tanh},
                                                            {"gelu_fast", Activation::gelu_tanh},
                                                            {"gelu_tanh", Activation::gelu_tanh},
                                                            {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                            {"quick_gelu", Activation::quick_gelu},
                                                            {"quickgelu", Activation::quick_gelu},
                                                            {"relu", Activation::relu},
                                                            {"elu", Activation::elu},
                                                            {"silu", Activation::silu},
                                                            {"swish", Activation::silu}};
    const std::string given = word(file, key, "");
    const auto found = words.find(given);
    if (found == words.end())
        refuse(file, key,
               "is \"" + given +
                   "\", which Vitrine does not know; it reads gelu, gelu_new, gelu_pytorch_tanh, quick_gelu, silu and "
                   "relu");
    return found->second;
}

Norm norm_of(const File& file, const char* key) {
    const std::string given = word(file, key, "");
    for (const Norm norm : {Norm::before, Norm::after, Norm::none})
        if (given == name_of(norm)) return norm;
    refuse(file, key, "should be \"before\", \"after\" or \"none\"; correct it");
}

/// The value named by the word under a key.
template <class T, std::size_t n>
T named(const File& file, const char* key, const Named<T> (&list)[n]) {
    if (const std::optional<T> value = value_in(list, word(file, key, ""))) return *value;
    refuse(file, key, "should be " + listed(names_of(list)) + "; correct it");
}

/// The kind of positions, by name; files of earlier versions have a boolean.
Positions positions_of(const File& file, const char* key) {
    if (file.json[key].is_boolean()) return file.json[key].get<bool>() ? Positions::learned : Positions::none;
    return named(file, key, positions_table);
}

/// The base of rotary positions.
double base_of(const File& file, const char* key, const Json& value) {
    if (!value.is_number() || !(value.get<double>() > 1) || value.get<double>() > 1e9)
        refuse(file, key, "should be a number above 1 such as 100; correct it");
    return value.get<double>();
}

/// {"base": 100, "neighbours": false, "grid": 0, "columns_first": false}
Rotary rotary_of(const File& file, const char* key) {
    if (!file.json[key].is_object() || !file.json[key].contains("base"))
        refuse(file, key, "should be an object such as {\"base\": 100}; correct it");
    const File inside{file.name, file.json[key]};
    return {base_of(inside, "base", inside.json["base"]), flag(inside, "neighbours", false),
            has(inside, "grid") ? whole_number(inside, "grid", inside.json["grid"], Rotary::own_grid) : 0,
            flag(inside, "columns_first", false)};
}

/// [{"kind": "class"}, {"kind": "register", "count": 4, "position": false}]
std::vector<LeadingTokens> leading_of(const File& file, const char* key) {
    std::vector<std::string> kinds = names_of(token_kinds);
    std::erase(kinds, name_in(token_kinds, TokenKind::patch));
    const std::string expected =
        "should be a list such as [{\"kind\": \"class\"}, {\"kind\": \"register\", \"count\": 4, \"position\": false}] "
        "of the kinds " +
        listed(kinds) + ", each at most once and with at most 1,024 tokens; correct it";
    constexpr int most = 1024;
    std::vector<LeadingTokens> leading;
    if (!file.json[key].is_array()) refuse(file, key, expected);
    for (const Json& json : file.json[key]) {
        if (!json.is_object()) refuse(file, key, expected);
        const File group{file.name, json};
        const std::optional<TokenKind> kind = value_in(token_kinds, word(group, "kind", ""));
        const bool again = std::ranges::any_of(leading, [&](const LeadingTokens& g) { return g.kind == kind; });
        if (!kind || *kind == TokenKind::patch || again) refuse(file, key, expected);
        leading.push_back({*kind, positive(group, "count").value_or(1), flag(group, "position", true)});
        if (leading.back().count > (is_counted(*kind) ? most : 1)) refuse(file, key, expected);
    }
    return leading;
}

/// A subset of "query", "key" and "value".
std::vector<std::string> biased_of(const File& file, const char* key) {
    constexpr const char* expected = "should be a list of some of \"query\", \"key\" and \"value\"; correct it";
    std::vector<std::string> names;
    if (!file.json[key].is_array()) refuse(file, key, expected);
    for (const Json& name : file.json[key]) {
        if (name != "query" && name != "key" && name != "value") refuse(file, key, expected);
        names.push_back(name.get<std::string>());
    }
    return names;
}

/// A setting under a key of our own, unknown to other programs. `write` gives null for a model with the usual value.
struct OwnSetting {
    const char* key;
    void (*read)(const File& file, const char* key, Configuration& c);
    OrderedJson (*write)(const Model& model);
};

OrderedJson unless_usual(bool usual, const OrderedJson& value) { return usual ? OrderedJson() : value; }

OrderedJson biases_in_words(const Config& c) {
    OrderedJson names = OrderedJson::array();
    if (c.query_bias) names.push_back("query");
    if (c.key_bias) names.push_back("key");
    if (c.value_bias) names.push_back("value");
    return names;
}

OrderedJson tokens_in_words(const Config& c) {
    OrderedJson list = OrderedJson::array();
    for (const LeadingTokens& group : c.leading)
        list.push_back(
            {{"kind", name_in(token_kinds, group.kind)}, {"count", group.count}, {"position", group.placed}});
    return list;
}

constexpr OwnSetting own_settings[] = {
    {"vitrine_norm", [](const File& f, const char* key, Configuration& c) { c.norm = norm_of(f, key); },
     [](const Model& m) { return unless_usual(m.config.norm == Norm::before, name_of(m.config.norm)); }},
    {"vitrine_skips", [](const File& f, const char* key, Configuration& c) { c.skips = flag(f, key, true); },
     [](const Model& m) { return unless_usual(m.config.skips, false); }},
    {"vitrine_rotary", [](const File& f, const char* key, Configuration& c) { c.rotary = rotary_of(f, key); },
     [](const Model& m) {
         const Rotary& rotary = m.config.rotary;
         return unless_usual(m.config.positions != Positions::rotary, {{"base", rotary.base},
                                                                       {"neighbours", rotary.neighbours},
                                                                       {"grid", rotary.grid},
                                                                       {"columns_first", rotary.columns_first}});
     }},
    {"vitrine_gated_mlp", [](const File& f, const char* key, Configuration& c) { c.gated_mlp = flag(f, key, false); },
     [](const Model& m) { return unless_usual(!m.config.gated_mlp, true); }},
    {"vitrine_positions", [](const File& f, const char* key, Configuration& c) { c.positions = positions_of(f, key); },
     [](const Model& m) {
         return unless_usual(m.config.positions == Positions::learned, name_in(positions_table, m.config.positions));
     }},
    {"vitrine_biases", [](const File& f, const char* key, Configuration& c) { c.biased = biased_of(f, key); },
     [](const Model& m) {
         const Config& c = m.config;
         return unless_usual(c.query_bias == c.key_bias && c.key_bias == c.value_bias, biases_in_words(c));
     }},
    {"vitrine_tokens", [](const File& f, const char* key, Configuration& c) { c.leading = leading_of(f, key); },
     [](const Model& m) { return unless_usual(m.config.leading == Config().leading, tokens_in_words(m.config)); }},
    {"vitrine_readout",
     [](const File& f, const char* key, Configuration& c) { c.readout = named(f, key, readout_names); },
     [](const Model& m) { return unless_usual(m.config.readout == Readout::class_token, name_of(m.config.readout)); }},
    {"vitrine_norm_before_mean",
     [](const File& f, const char* key, Configuration& c) { c.norm_before_mean = flag(f, key, false); },
     [](const Model& m) { return unless_usual(!m.config.norm_before_mean, true); }},
    {"vitrine_scenes", [](const File& f, const char* key, Configuration& c) { c.scenes = word(f, key, ""); },
     [](const Model& m) { return unless_usual(m.provenance.scenes.empty(), m.provenance.scenes); }},
};

std::vector<std::string> labels_of(const File& file) {
    NumberedLabels labels = numbered_labels(file.json["id2label"]);
    if (!labels.readable) refuse(file, "id2label", "should give a word for each class number; correct it");
    if (!labels.complete)
        refuse(file, "id2label", "leaves out class " + std::to_string(labels.names.size()) + "; correct it");
    return std::move(labels.names);
}

/// The configuration of the image tower, which a model of two towers has under a separate key.
File tower_of(const File& file) {
    return has(file, "vision_config") && file.json["vision_config"].is_object()
               ? File{file.name, file.json["vision_config"]}
               : file;
}

std::optional<float> epsilon_of(const File& file) {
    if (!has(file, "layer_norm_eps")) return {};
    const double epsilon = number(file, "layer_norm_eps");
    if (!(epsilon >= 0) || epsilon > 1)
        refuse(file, "layer_norm_eps", "should be a small positive number such as 1e-6; correct it");
    return static_cast<float>(epsilon);
}

void read_hugging_face(const File& whole, Configuration& c) {
    const File file = tower_of(whole);
    c.family = word(whole, "model_type", "");
    c.heads = positive(file, "num_attention_heads");
    c.embedding_dim = positive(file, "hidden_size");
    c.blocks = positive(file, "num_hidden_layers");
    c.mlp_dim = positive(file, "intermediate_size");
    c.channels = positive(file, "num_channels");
    if (has(file, "patch_size")) {
        const auto [height, width] = size_of(file, "patch_size", file.json["patch_size"]);
        if (height != width)
            refuse(file, "patch_size", "is not square, which Vitrine does not read; use a model of square patches");
        c.patch_size = height;
    }
    if (has(file, "image_size")) c.image_size = size_of(file, "image_size", file.json["image_size"]);
    c.layer_norm_epsilon = epsilon_of(file);
    c.activation = activation_of(file, "hidden_act");
    if (has(file, "qkv_bias")) c.qkv_bias = flag(file, "qkv_bias", true);
    if (has(file, "rope_theta")) c.rope_theta = base_of(file, "rope_theta", file.json["rope_theta"]);
    for (const OwnSetting& own : own_settings)
        if (has(file, own.key)) own.read(file, own.key, c);
    c.problem_type = word(whole, "problem_type", "");
    if (has(whole, "id2label") && whole.json["id2label"].is_object()) c.labels = labels_of(whole);
}

Preprocessing::Filter filter_of(const File& file, const std::string& key, const Json& value) {
    if (value == 1 || value == "lanczos") return Preprocessing::Filter::lanczos;
    if (value == 2 || value == "bilinear") return Preprocessing::Filter::bilinear;
    if (value == 3 || value == "bicubic") return Preprocessing::Filter::bicubic;
    refuse(file, key,
           "is " + value.dump() +
               ", which Vitrine does not read; it resizes with lanczos (1), bilinear (2) or bicubic (3)");
}

void read_statistics(const File& file, const char* mean, const char* deviation, Preprocessing& p) {
    if (has(file, mean)) p.mean = numbers(file, mean);
    if (has(file, deviation)) p.std = numbers(file, deviation);
    for (const double s : p.std)
        if (!(s > 0)) refuse(file, deviation, "should hold positive numbers; correct it");
}

/// Rejects mean and deviation that do not map black and white to usable numbers.
void check_pixels(const File& file, const char* key, const Preprocessing& p) {
    constexpr double most = 1e5;
    const auto of = [](const std::vector<double>& values, std::size_t c) {
        return values[std::min(c, values.size() - 1)];
    };
    for (const std::size_t c : {0, 1, 2})
        for (const double byte : {0.0, 255.0}) {
            const double rescaled = byte * p.rescale_factor + p.rescale_offset;
            if (!(std::abs((rescaled - of(p.mean, c)) / of(p.std, c)) <= most))
                refuse(file, key, "makes pixels of more than 100,000, which no model takes; correct it");
        }
}

/// Reads timm's `pretrained_cfg`: size and preprocessing of images.
Preprocessing read_timm_pictures(const File& pictures, Configuration& c) {
    if (has(pictures, "input_size")) {
        if (!pictures.json["input_size"].is_array() || pictures.json["input_size"].size() != 3)
            refuse(pictures, "input_size", "should be three numbers such as [3, 224, 224]; correct it");
        const Json& size = pictures.json["input_size"];
        c.channels = positive(pictures, "input_size", size[0]);
        if (!c.image_size)
            c.image_size = {positive(pictures, "input_size", size[1]), positive(pictures, "input_size", size[2])};
    }

    Preprocessing p;
    p.filter = has(pictures, "interpolation") ? filter_of(pictures, "interpolation", pictures.json["interpolation"])
                                              : Preprocessing::Filter::bicubic;
    read_statistics(pictures, "mean", "std", p);
    check_pixels(pictures, "std", p);
    p.crop = true;
    p.crop_rounding = Preprocessing::Rounding::half_to_even;
    c.crop_share = has(pictures, "crop_pct") ? number(pictures, "crop_pct") : timm_crop_share;
    if (!(c.crop_share > 0.1) || c.crop_share > 2)
        refuse(pictures, "crop_pct", "should be a share such as 0.9; correct it");
    using Resize = Preprocessing::Resize;
    static const std::map<std::string, Resize> modes = {
        {"center", Resize::shortest_edge}, {"squash", Resize::squash}, {"border", Resize::longest_edge}};
    const auto mode = modes.find(word(pictures, "crop_mode", "center"));
    if (mode == modes.end())
        refuse(pictures, "crop_mode", "should be \"center\", \"squash\" or \"border\"; correct it");
    p.resize = mode->second;
    return p;
}

/// The activation of an architecture that timm builds without GELU (timm/models/vision_transformer.py); none for the
/// others.
std::optional<Activation> activation_by_name(const std::string& architecture) {
    if (architecture.find("quickgelu") != std::string::npos) return Activation::quick_gelu;
    return names_second_siglip(architecture) ? std::optional(Activation::gelu_tanh) : std::nullopt;
}

/// Reads timm's config.json: the encoder in `model_args`; images in `pretrained_cfg`, in old files at the top level.
void read_timm(const File& file, Configuration& c) {
    c.is_timm = true;
    if (has(file, "architecture") && file.json["architecture"].is_string())
        c.architecture = file.json["architecture"].get<std::string>();
    const auto part = [&](const char* key) {
        return File{file.name, has(file, key) && file.json[key].is_object() ? file.json[key] : Json::object()};
    };
    const File args = part("model_args");
    c.pooling = word(args, "global_pool", word(file, "global_pool", "token").c_str());
    if (has(file, "num_classes")) c.classes = whole_number(file, "num_classes", file.json["num_classes"], 0);
    c.heads = positive(args, "num_heads");
    c.embedding_dim = positive(args, "embed_dim");
    c.blocks = positive(args, "depth");
    c.patch_size = positive(args, "patch_size");
    c.activation = activation_of(args, "act_layer");
    if (has(args, "qkv_bias")) c.qkv_bias = flag(args, "qkv_bias", true);
    if (c.embedding_dim && has(args, "mlp_ratio"))
        c.mlp_dim = static_cast<int>(*c.embedding_dim * std::clamp(number(args, "mlp_ratio"), 0.0, 1000.0));
    if (has(args, "img_size")) c.image_size = size_of(args, "img_size", args.json["img_size"]);
    const File pictures = has(file, "pretrained_cfg") ? part("pretrained_cfg") : file;
    c.preprocessing = read_timm_pictures(pictures, c);
    const std::string tag = has(pictures, "tag") ? word(pictures, "tag", "") : "";
    c.projects = c.architecture.find("_clip_") != std::string::npos && tag.find("ft_") == std::string::npos;
    if (!c.activation) c.activation = activation_by_name(c.architecture);
    if (has(file, "label_names") && file.json["label_names"].is_array())
        for (const Json& label : file.json["label_names"]) {
            std::string name = label.is_string() ? label.get<std::string>() : label.dump();
            if (has(file, "label_descriptions") && file.json["label_descriptions"].contains(name) &&
                file.json["label_descriptions"][name].is_string())
                name = file.json["label_descriptions"][name].get<std::string>();
            c.labels.push_back(name);
        }
}

/// Known keys of Hugging Face's image processors: those read here, and those that do not affect Vitrine's pixels.
const std::set<std::string>& known_keys() {
    static const std::set<std::string> keys = {
        "do_resize", "size", "resample", "default_to_square", "crop_pct", "do_center_crop", "crop_size", "do_rescale",
        "rescale_factor", "offset", "rescale_offset", "do_grayscale", "do_normalize", "image_mean", "image_std",
        "do_flip_channel_order", "image_processor_type", "feature_extractor_type",
        // our own, for settings without a Hugging Face key
        "vitrine_resize", "vitrine_crop_rounding",
        // about labels, other inputs, or the form in which numbers are returned
        "_commit_hash", "_name_or_path", "_processor_class", "_valid_processor_keys", "auto_map", "data_format",
        "device", "disable_grouping", "do_convert_rgb", "do_reduce_labels", "image_size", "input_data_format",
        "model_input_names", "model_type", "name_or_path", "num_channels", "patch_size", "processor_class",
        "reduce_labels", "return_tensors", "software", "checksum", "transformers_version"};
    return keys;
}

void refuse_unknown_keys(const File& file) {
    for (const auto& [key, value] : file.json.items())
        if (!known_keys().contains(key) && value != false && !value.empty())
            refuse(file, key,
                   "is a key that Vitrine does not know and that may change the model's input; use a model without "
                   "it, or remove it if it changes no pixel");
}

/// Reads `size` in all its forms.
void read_size(const File& file, Preprocessing& p) {
    using Resize = Preprocessing::Resize;
    const Json& size = file.json["size"];
    if (size.is_object() && size.contains("longest_edge"))
        refuse(file, "size", "holds a \"longest_edge\", which Vitrine does not read; give height and width");
    const bool edge = size.is_object() && size.contains("shortest_edge");
    if (!edge) std::tie(p.resize_height, p.resize_width) = size_of(file, "size", size);
    if (edge) p.resize_height = p.resize_width = positive(file, "size", size["shortest_edge"]);
    const bool alone = edge || (size.is_number() && !flag(file, "default_to_square", true));
    if (alone && p.resize != Resize::none) p.resize = Resize::shortest_edge;
}

/// `crop_pct` (PoolFormer, ConvNeXt): resizes the shortest edge to size / crop_pct and crops the centre to size.
void read_crop_share(const File& file, const std::string& type, Preprocessing& p, Configuration& c) {
    constexpr int convnext_squashes_from = 384;
    const double share = number(file, "crop_pct");
    if (!(share > 0.1) || share > 2) refuse(file, "crop_pct", "should be a share such as 0.9; correct it");
    if (p.resize == Preprocessing::Resize::none) return;
    if (p.resize_height != p.resize_width)
        refuse(file, "crop_pct", "comes with a size that is not square, which Vitrine does not read; leave it out");
    if (type.starts_with("ConvNext") && p.resize_height >= convnext_squashes_from) {
        p.resize = Preprocessing::Resize::squash;
        return;
    }
    p.resize = Preprocessing::Resize::shortest_edge;
    p.crop = true;
    c.crop_share = share;
    if (p.resize_height == 0) return;  // the model's own size is divided later
    if (!c.crop_size) c.crop_size = {p.resize_height, p.resize_height};
    p.resize_height = p.resize_width = static_cast<int>(p.resize_height / share);
}

/// Reads the treatment of pixel values: rescaling, grey, normalisation, order of channels.
void read_numbers(const File& file, const std::string& type, Preprocessing& p) {
    const bool rescales = flag(file, "do_rescale", true);
    p.rescale_factor = !rescales ? 1.0 : has(file, "rescale_factor") ? number(file, "rescale_factor") : 1.0 / 255;
    const bool moves = flag(file, "offset", type.starts_with("Vivit")) || flag(file, "rescale_offset", false);
    if (rescales && moves) p.rescale_offset = -1;
    p.grey = flag(file, "do_grayscale", false);
    p.flip_channels = flag(file, "do_flip_channel_order", false);
    read_statistics(file, "image_mean", "image_std", p);
    if (!flag(file, "do_normalize", !type.starts_with("MobileViT"))) {
        p.mean.assign(3, 0.0);
        p.std.assign(3, 1.0);
    }
    check_pixels(file, has(file, "image_std") ? "image_std" : "rescale_factor", p);
}

/// Reads Hugging Face's image processors, in the old and the new format.
Preprocessing read_preprocessor(const File& file, Configuration& c) {
    refuse_unknown_keys(file);
    const std::string type = word(file, "image_processor_type", word(file, "feature_extractor_type", "").c_str());
    Preprocessing p;
    p.resize = flag(file, "do_resize", true) ? Preprocessing::Resize::squash : Preprocessing::Resize::none;
    if (has(file, "size")) read_size(file, p);
    if (has(file, "vitrine_resize")) p.resize = named(file, "vitrine_resize", resize_names);
    if (has(file, "vitrine_crop_rounding")) p.crop_rounding = named(file, "vitrine_crop_rounding", rounding_names);
    if (has(file, "resample")) p.filter = filter_of(file, "resample", file.json["resample"]);
    p.crop = flag(file, "do_center_crop", false);
    if (p.crop && has(file, "crop_size") && !file.json["crop_size"].contains("shortest_edge"))
        c.crop_size = size_of(file, "crop_size", file.json["crop_size"]);
    c.crop_share = 1;
    if (has(file, "crop_pct")) read_crop_share(file, type, p, c);
    read_numbers(file, type, p);
    return p;
}

/// The file with the preprocessing of images, if there is one.
std::optional<File> preprocessor_of(const ConfigurationTexts& texts, const std::string& folder) {
    const File processor = parse(texts.processor, folder + "/processor_config.json");
    if (has(processor, "image_processor")) {
        if (!processor.json["image_processor"].is_object())
            refuse(processor, "image_processor", "should be a JSON object; correct it");
        return File{processor.name, processor.json["image_processor"]};
    }
    if (texts.preprocessor.empty()) return {};
    File file = parse(texts.preprocessor, folder + "/preprocessor_config.json");
    if (has(file, "image_processor") && file.json["image_processor"].is_object())
        return File{file.name, file.json["image_processor"]};
    return file;
}

}  // namespace

void write_own_settings(const Model& model, OrderedJson& json) {
    for (const OwnSetting& own : own_settings)
        if (OrderedJson value = own.write(model); !value.is_null()) json[own.key] = std::move(value);
}

NumberedLabels numbered_labels(const nlohmann::json& object) {
    std::map<int, std::string> rows;
    for (const auto& [key, name] : object.items()) {
        const bool number = !key.empty() && key.size() < 8 && key.find_first_not_of("0123456789") == std::string::npos;
        if (!number || !name.is_string()) return {.readable = false};
        rows[std::stoi(key)] = name.get<std::string>();
    }
    NumberedLabels labels;
    for (const auto& [number, name] : rows) {
        labels.complete = number == static_cast<int>(labels.names.size());
        if (!labels.complete) break;
        labels.names.push_back(name);
    }
    return labels;
}

Configuration read_configuration(const ConfigurationTexts& texts, const std::string& folder) {
    Configuration c;
    const File config = parse(texts.config, folder + "/config.json");
    if (has(config, "architecture") || has(config, "pretrained_cfg"))
        read_timm(config, c);
    else
        read_hugging_face(config, c);
    if (const std::optional<File> file = preprocessor_of(texts, folder)) {
        c.preprocessing = read_preprocessor(*file, c);
        c.preprocessor_name = file->name.substr(folder.size() + 1);
    }
    return c;
}

TextConfiguration read_text_configuration(const std::string& config, const std::string& folder) {
    File file = parse(config, folder + "/config.json");
    file.json =
        has(file, "text_config") && file.json["text_config"].is_object() ? file.json["text_config"] : Json::object();
    return {positive(file, "num_attention_heads"), epsilon_of(file), activation_of(file, "hidden_act")};
}

}  // namespace vitrine
