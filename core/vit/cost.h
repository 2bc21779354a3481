#pragma once

namespace vitrine {

struct Config;

/// Costs of a model: whole numbers, exact up to 2⁵³, stored as doubles since a model that the user makes up may exceed
/// every integer type.
struct Cost {
    double parameters = 0;
    double multiply_adds = 0;            // of one image's forward pass: linear layers and attention's products
    double attention_multiply_adds = 0;  // QKᵀ and A·V alone
    double weight_bytes = 0;             // float32
    double attention_bytes = 0;          // all N × N maps of all heads and blocks, float32
    double embedding_bytes = 0;          // of one image's trace, before the first block
    double block_bytes = 0;              // of one image's trace, for each block
    double trace_bytes = 0;              // of one image's whole trace

    bool operator==(const Cost&) const = default;
};

/// Counts the costs from the layers of the ViT paper (Dosovitskiy et al. 2021), including biases and the tokens before
/// the patches.
Cost cost_of(const Config& config);

}  // namespace vitrine
