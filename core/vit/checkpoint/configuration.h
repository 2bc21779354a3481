#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/vit/model.h"

namespace vitrine {

/// What config.json and preprocessor_config.json say, where they say it: Hugging Face's keys or timm's.
struct Configuration {
    std::optional<int> heads, embedding_dim, blocks, mlp_dim, patch_size, channels, classes;
    std::optional<std::pair<int, int>> image_size, crop_size;  // height, width
    std::optional<bool> qkv_bias;
    std::optional<float> layer_norm_epsilon;
    std::optional<Activation> activation;
    std::optional<Norm> norm;            // our own keys: "vitrine_norm" before, after or none
    std::optional<bool> skips;           // "vitrine_skips"
    std::optional<Positions> positions;  // "vitrine_positions": its name; earlier versions wrote false for none
    std::optional<Readout> readout;      // "vitrine_readout"
    std::optional<std::vector<LeadingTokens>> leading;  // "vitrine_tokens": those before the patches, by kind
    std::optional<std::vector<std::string>> biased;     // "vitrine_biases": which of "query", "key", "value" have one
    std::string scenes;                                 // "vitrine_scenes": the drawn pictures it learned from
    std::string architecture;                           // timm's: "vit_base_patch16_224"
    std::vector<std::string> labels;                    // in the order of the classes
    std::string pooling = "token";                      // timm's global_pool: what the classifier reads
    std::optional<Preprocessing> preprocessing;         // sizes still 0 where the model's image size decides:
    double crop_share = 1;                              // they are then that size divided by this, timm's crop_pct
    bool is_timm = false;
    std::string problem_type;       // what the classifier was trained for, "multi_label_classification"; "" unsaid
    std::string preprocessor_name;  // of the file that says how pictures are prepared; "" where none does
};

/// What the files of a model's configuration hold, "" where there is none.
struct ConfigurationTexts {
    const std::string &config, &preprocessor,
        &processor;  // config.json, preprocessor_config.json, processor_config.json
};

/// Reads them; the image processor inside processor_config.json goes before preprocessor_config.json, as in
/// transformers 5. Throws Error, naming the file in `folder`, the key and what it should hold: also for a key of the
/// preprocessor that Vitrine does not know, since it may change what the model sees.
Configuration read_configuration(const ConfigurationTexts& texts, const std::string& folder);

}  // namespace vitrine
