#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/vit/model.h"

namespace vitrine {

/// Contents of config.json and preprocessor_config.json, by Hugging Face's keys or timm's; absent keys stay empty.
struct Configuration {
    std::optional<int> heads, embedding_dim, blocks, mlp_dim, patch_size, channels, classes;
    std::optional<std::pair<int, int>> image_size, crop_size;  // height, width
    std::optional<bool> qkv_bias;
    std::optional<float> layer_norm_epsilon;
    std::optional<Activation> activation;
    std::optional<Norm> norm;              // our own keys: "vitrine_norm" before, after or none
    std::optional<bool> skips;             // "vitrine_skips"
    bool gated_mlp = false;                // "vitrine_gated_mlp": the MLP has a gate, with the activation above
    std::optional<Positions> positions;    // "vitrine_positions": its name; earlier versions wrote false for none
    std::optional<Rotary> rotary;          // "vitrine_rotary": its base, pairs, grid and axes
    std::optional<double> rope_theta;      // DINOv3's base of rotary positions
    std::optional<Readout> readout;        // "vitrine_readout"
    std::optional<bool> norm_before_mean;  // "vitrine_norm_before_mean"
    std::optional<std::vector<LeadingTokens>> leading;  // "vitrine_tokens": those before the patches, by kind
    std::optional<std::vector<std::string>> biased;     // "vitrine_biases": which of "query", "key", "value" have one
    std::string scenes;                                 // "vitrine_scenes": the drawn pictures it was trained on
    std::string architecture;                           // timm's: "vit_base_patch16_224"
    std::vector<std::string> labels;                    // in the order of the classes
    std::string pooling = "token";                      // timm's global_pool: the classifier's input
    std::optional<Preprocessing> preprocessing;         // sizes stay 0 if the model's image size decides them
    double crop_share = 1;  // if sizes are 0, images are resized to the model's image size ÷ this (timm's crop_pct)
    bool is_timm = false;
    bool projects = false;          // the head is a projection to features and no classifier (timm's CLIP)
    std::string family;             // Hugging Face's model_type: "dinov2"
    std::string problem_type;       // the kind of classification, "multi_label_classification"; "" if not given
    std::string preprocessor_name;  // name of the file with the preprocessing of images; "" if there is none
};

/// Texts of a model's configuration files; "" for a missing file.
struct ConfigurationTexts {
    const std::string &config, &preprocessor,
        &processor;  // config.json, preprocessor_config.json, processor_config.json
};

/// Parses the files; the image processor inside processor_config.json overrides preprocessor_config.json, as in
/// transformers 5. Throws Error, naming the file in `folder`, the key and its expected value, also for an unknown key
/// of the preprocessor, since it may change the model's input.
Configuration read_configuration(const ConfigurationTexts& texts, const std::string& folder);

/// Adds a model's unusual settings to config.json, under keys of our own, "vitrine_…"; `read_configuration` reads them.
void write_own_settings(const Model& model, nlohmann::ordered_json& json);

/// The names in an object {"0": "fish", …}, in the order of their numbers, up to the first number that is left out.
struct NumberedLabels {
    std::vector<std::string> names = {};
    bool readable = true;  // all keys are numbers and all values words
    bool complete = true;  // no number is left out
};
NumberedLabels numbered_labels(const nlohmann::json& object);

/// Settings of a text tower, under "text_config"; absent keys stay empty.
struct TextConfiguration {
    std::optional<int> heads;
    std::optional<float> layer_norm_epsilon;
    std::optional<Activation> activation;
};
/// Parses config.json; "" for a missing one. Throws Error, naming the file in `folder`, the key and its expected value.
TextConfiguration read_text_configuration(const std::string& config, const std::string& folder);

}  // namespace vitrine
