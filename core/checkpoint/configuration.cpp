#include "core/checkpoint/configuration.h"

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace vitrine {

namespace {

using Json = nlohmann::json;

/// One JSON file and its name, for messages.
struct File {
    std::string name;
    Json json;
};

[[noreturn]] void refuse(const File& file, const std::string& key, const std::string& what) {
    throw Error(file.name + ": \"" + key + "\" " + what);
}

File parse(const std::string& text, const std::string& name) {
    if (text.empty()) return {name, Json::object()};
    try {
        File file{name, Json::parse(text)};
        if (!file.json.is_object())
            throw Error(name + ": this is not a JSON object; take the file from the model's page again");
        return file;
    } catch (const Json::exception&) {
        throw Error(name + ": this is not valid JSON; take the file from the model's page again");
    }
}

bool has(const File& file, const char* key) { return file.json.contains(key) && !file.json[key].is_null(); }

int positive(const File& file, const std::string& key, const Json& value) {
    constexpr double most = 1 << 20;
    if (!value.is_number() || value.get<double>() < 1 || value.get<double>() > most ||
        std::floor(value.get<double>()) != value.get<double>())
        refuse(file, key, "should be a whole number from 1 on; correct it");
    return static_cast<int>(value.get<double>());
}

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

std::vector<double> numbers(const File& file, const char* key) {
    std::vector<double> values;
    const Json& list = file.json[key];
    for (const Json& value : list.is_array() ? list : Json::array({list})) {
        if (!value.is_number() || !std::isfinite(value.get<double>()))
            refuse(file, key, "should be a list of numbers; correct it");
        values.push_back(value.get<double>());
    }
    return values;
}

Activation activation_of(const File& file, const std::string& word) {
    static const std::map<std::string, Activation> words = {{"gelu", Activation::gelu},
                                                            {"gelu_new", Activation::gelu_tanh},
                                                            {"gelu_tanh", Activation::gelu_tanh},
                                                            {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                            {"quick_gelu", Activation::quick_gelu},
                                                            {"relu", Activation::relu}};
    const auto found = words.find(word);
    if (found == words.end())
        refuse(file, "hidden_act",
               "is \"" + word +
                   "\", which Vitrine does not know; it reads gelu, gelu_new, gelu_pytorch_tanh, quick_gelu and relu");
    return found->second;
}

/// {"0": "fish", …} as a list; empty where the numbers do not run from 0 on.
std::vector<std::string> labels_of(const File& file) {
    std::map<int, std::string> rows;
    for (const auto& [key, value] : file.json["id2label"].items()) {
        if (!value.is_string() || key.empty() || key.find_first_not_of("0123456789") != std::string::npos ||
            key.size() > 7)
            refuse(file, "id2label", "should give a word for each class number; correct it");
        rows[std::stoi(key)] = value.get<std::string>();
    }
    std::vector<std::string> labels;
    for (const auto& [index, label] : rows) {
        if (index != static_cast<int>(labels.size()))
            refuse(file, "id2label", "leaves out class " + std::to_string(labels.size()) + "; correct it");
        labels.push_back(label);
    }
    return labels;
}

void read_hugging_face(const File& file, Configuration& c) {
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
    if (has(file, "layer_norm_eps")) {
        const double epsilon = numbers(file, "layer_norm_eps").at(0);
        if (!(epsilon >= 0) || epsilon > 1)
            refuse(file, "layer_norm_eps", "should be a small positive number such as 1e-6; correct it");
        c.layer_norm_epsilon = static_cast<float>(epsilon);
    }
    if (has(file, "hidden_act")) {
        if (!file.json["hidden_act"].is_string())
            refuse(file, "hidden_act", "should be a word such as \"gelu\"; correct it");
        c.activation = activation_of(file, file.json["hidden_act"].get<std::string>());
    }
    if (has(file, "id2label") && file.json["id2label"].is_object()) c.labels = labels_of(file);
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

/// timm's config.json: the encoder in `model_args`, the pictures in `pretrained_cfg`.
void read_timm(const File& file, Configuration& c) {
    c.is_timm = true;
    c.architecture = file.json["architecture"].is_string() ? file.json["architecture"].get<std::string>() : "";
    c.average_pooling = has(file, "global_pool") && file.json["global_pool"] == "avg";
    const auto part = [&](const char* key) {
        return File{file.name, has(file, key) && file.json[key].is_object() ? file.json[key] : Json::object()};
    };
    const File args = part("model_args"), pictures = part("pretrained_cfg");
    c.heads = positive(args, "num_heads");
    c.embedding_dim = positive(args, "embed_dim");
    c.blocks = positive(args, "depth");
    c.patch_size = positive(args, "patch_size");
    if (has(args, "img_size")) c.image_size = size_of(args, "img_size", args.json["img_size"]);
    if (has(pictures, "input_size") && pictures.json["input_size"].is_array() &&
        pictures.json["input_size"].size() == 3) {
        const Json& size = pictures.json["input_size"];
        c.channels = positive(pictures, "input_size", size[0]);
        if (!c.image_size)
            c.image_size = {positive(pictures, "input_size", size[1]), positive(pictures, "input_size", size[2])};
    }
    if (has(file, "label_names") && file.json["label_names"].is_array())
        for (const Json& label : file.json["label_names"]) {
            std::string word = label.is_string() ? label.get<std::string>() : label.dump();
            if (has(file, "label_descriptions") && file.json["label_descriptions"].contains(word) &&
                file.json["label_descriptions"][word].is_string())
                word = file.json["label_descriptions"][word].get<std::string>();
            c.labels.push_back(word);
        }

    Preprocessing p;
    p.filter = has(pictures, "interpolation") ? filter_of(pictures, "interpolation", pictures.json["interpolation"])
                                              : Preprocessing::Filter::bicubic;
    read_statistics(pictures, "mean", "std", p);
    p.crop = true;
    p.crop_rounding = Preprocessing::Rounding::half_to_even;
    const double crop = has(pictures, "crop_pct") ? numbers(pictures, "crop_pct").at(0) : 0.9;
    if (!(crop > 0.1) || crop > 2) refuse(pictures, "crop_pct", "should be a share such as 0.9; correct it");
    const std::string mode = has(pictures, "crop_mode") && pictures.json["crop_mode"].is_string()
                                 ? pictures.json["crop_mode"].get<std::string>()
                                 : "center";
    using Resize = Preprocessing::Resize;
    p.resize = mode == "squash" ? Resize::squash : mode == "border" ? Resize::longest_edge : Resize::shortest_edge;
    if (c.image_size) {
        p.resize_height = static_cast<int>(std::floor(c.image_size->first / crop));
        p.resize_width = static_cast<int>(std::floor(c.image_size->second / crop));
    }
    c.preprocessing = p;
}

bool flag(const File& file, const char* key, bool otherwise) {
    return has(file, key) && file.json[key].is_boolean() ? file.json[key].get<bool>() : otherwise;
}

/// Hugging Face's image processors, old form and new.
Preprocessing read_preprocessor(const File& file) {
    using Resize = Preprocessing::Resize;
    Preprocessing p;
    p.resize = flag(file, "do_resize", true) ? Resize::squash : Resize::none;
    if (has(file, "size")) {
        const Json& size = file.json["size"];
        if (size.is_object() && size.contains("shortest_edge")) {
            if (p.resize != Resize::none) p.resize = Resize::shortest_edge;
            p.resize_height = p.resize_width = positive(file, "size", size["shortest_edge"]);
        } else {
            std::tie(p.resize_height, p.resize_width) = size_of(file, "size", size);
        }
    }
    if (has(file, "resample")) p.filter = filter_of(file, "resample", file.json["resample"]);
    p.crop = flag(file, "do_center_crop", false);
    p.rescale_factor = !flag(file, "do_rescale", true) ? 1.0
                       : has(file, "rescale_factor")   ? numbers(file, "rescale_factor").at(0)
                                                       : 1.0 / 255;
    read_statistics(file, "image_mean", "image_std", p);
    if (!flag(file, "do_normalize", true)) {
        p.mean.assign(3, 0.0);
        p.std.assign(3, 1.0);
    }
    return p;
}

}  // namespace

Configuration read_configuration(const std::string& config_json, const std::string& preprocessor_json,
                                 const std::string& name) {
    Configuration c;
    const File config = parse(config_json, name + "/config.json");
    if (has(config, "architecture") || has(config, "pretrained_cfg"))
        read_timm(config, c);
    else
        read_hugging_face(config, c);
    if (!preprocessor_json.empty())
        c.preprocessing = read_preprocessor(parse(preprocessor_json, name + "/preprocessor_config.json"));
    return c;
}

}  // namespace vitrine
