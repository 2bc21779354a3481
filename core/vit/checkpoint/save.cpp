#include "core/vit/checkpoint/save.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"
#include "core/files/safetensors.h"
#include "core/vit/checkpoint/configuration.h"
#include "core/vit/checkpoint/layouts.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// The shortest decimal that reads back as the same float, for human readers of the file.
double readable(float value) {
    std::array<char, 32> decimal{};
    return std::stod(
        std::string(decimal.data(), std::to_chars(decimal.data(), decimal.data() + decimal.size(), value).ptr));
}

const char* hugging_face_name(Activation activation) {
    return activation == Activation::gelu_tanh ? "gelu_new" : name_of(activation);
}

OrderedJson config_of(const Model& model) {
    const Config& c = model.config;
    OrderedJson j = {{"architectures", {"ViTForImageClassification"}},
                     {"model_type", "vit"},
                     {"software", software_name},
                     {"hidden_size", c.embedding_dim},
                     {"num_hidden_layers", c.blocks},
                     {"num_attention_heads", c.heads},
                     {"intermediate_size", c.mlp_dim},
                     {"hidden_act", hugging_face_name(c.activation)},
                     {"layer_norm_eps", readable(c.layer_norm_epsilon)},
                     {"image_size", c.image_height},
                     {"patch_size", c.patch_size},
                     {"num_channels", c.channels},
                     {"qkv_bias", c.query_bias || c.key_bias || c.value_bias}};
    if (c.image_width != c.image_height) j["image_size"] = {c.image_height, c.image_width};
    for (int i = 0; i < (c.labels.empty() ? c.classes : static_cast<int>(c.labels.size())); ++i) {
        j["id2label"][std::to_string(i)] = c.label(i);
        j["label2id"][c.label(i)] = i;
    }
    if (c.ending == HeadKind::values) j["problem_type"] = "regression";
    if (c.ending == HeadKind::several) j["problem_type"] = "multi_label_classification";
    write_own_settings(model, j);
    return j;
}

/// The class that makes the same pixels: one of two of Hugging Face's, or, where neither does, a name of our own, which
/// their code rejects. `expressible`: their keys can say how images are resized.
const char* processor_of(const Preprocessing& p, bool expressible) {
    if (!expressible || p.grey || p.flip_channels || p.rescale_offset != 0) return "VitrineImageProcessor";
    return p.resize == Preprocessing::Resize::squash && !p.crop ? "ViTImageProcessor" : "CLIPImageProcessor";
}

/// Hugging Face's keys where they exist, and our own "vitrine_…" for the rest.
OrderedJson json_of(const Preprocessing& p, const Config& c) {
    using Filter = Preprocessing::Filter;
    using Resize = Preprocessing::Resize;
    // PIL's numbers of the filters.
    const int resample = p.filter == Filter::lanczos ? 1 : p.filter == Filter::bilinear ? 2 : 3;
    const bool edge = p.resize == Resize::shortest_edge && p.resize_height == p.resize_width;
    const bool expressible = edge || p.resize == Resize::none || p.resize == Resize::squash;
    OrderedJson j = {{"image_processor_type", processor_of(p, expressible)},
                     {"software", software_name},
                     {"do_resize", p.resize != Resize::none},
                     {"size", {{"height", p.resize_height}, {"width", p.resize_width}}},
                     {"resample", resample},
                     {"do_rescale", true},
                     {"rescale_factor", p.rescale_factor},
                     {"do_normalize", true},
                     {"image_mean", p.mean},
                     {"image_std", p.std}};
    if (edge) j["size"] = {{"shortest_edge", p.resize_height}};
    if (!expressible) j["vitrine_resize"] = name_in(resize_names, p.resize);
    if (p.crop) j["do_center_crop"] = true;
    if (p.crop) j["crop_size"] = {{"height", c.image_height}, {"width", c.image_width}};
    if (p.crop_rounding != Preprocessing::Rounding::down)
        j["vitrine_crop_rounding"] = name_in(rounding_names, p.crop_rounding);
    if (p.rescale_offset != 0) j["rescale_offset"] = true;  // subtracts 1, as in Hugging Face's code
    if (p.grey) j["do_grayscale"] = true;
    if (p.flip_channels) j["do_flip_channel_order"] = true;
    return j;
}

void write_text(const std::filesystem::path& path, const OrderedJson& json) {
    replace_file(path, sealed(json.dump(2) + "\n"));
}

/// The shape in which Hugging Face's code stores a parameter.
std::vector<std::size_t> stored_shape(const NamedParameter& p, const Config& c) {
    const std::vector<std::size_t>& shape = p.parameter.shape();
    if (p.name.ends_with("position_embeddings")) return {1, shape[0], shape[1]};
    const auto side = static_cast<std::size_t>(c.patch_size);
    if (p.name.ends_with("patch_embeddings.projection.weight"))
        return {shape[0], static_cast<std::size_t>(c.channels), side, side};
    return shape;
}

/// Adds the learned vectors of the tokens before the patches, one tensor for each kind.
void add_leading(const Model& model, std::vector<NamedTensor>& tensors) {
    const auto d = static_cast<std::size_t>(model.config.embedding_dim);
    const float* next = model.weights.leading.data();
    for (const LeadingTokens& group : model.config.leading) {
        const auto count = static_cast<std::size_t>(group.count);
        tensors.push_back({std::string("vit.") + names_of(layouts().front(), group.kind).front(), {1, count, d}, next});
        next += count * d;
    }
}

}  // namespace

void save_model(const Model& model, const std::filesystem::path& folder, Precision precision) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + "); choose another place");
    std::vector<NamedTensor> tensors;
    add_leading(model, tensors);
    for (const NamedParameter& p : parameters_of(model.weights))  // all but the leading tokens, which are added above
        if (p.parameter.owner() != model.weights.leading.owner() || p.parameter.owner() == nullptr)
            tensors.push_back({.name = p.name,
                               .shape = stored_shape(p, model.config),
                               .make = [parameter = p.parameter] { return parameter.stored().owner(); }});
    write_safetensors(folder / "model.safetensors", tensors,
                      {.half = precision == Precision::f16, .metadata = {{"format", "pt"}}});
    write_text(folder / "preprocessor_config.json", json_of(model.preprocessing, model.config));
    write_text(folder / "config.json", config_of(model));
}

}  // namespace vitrine
