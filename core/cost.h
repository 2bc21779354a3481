#pragma once

#include <cstdint>

namespace vitrine {

/// The shape of a Vision Transformer, for counting what it costs.
struct Shape {
    int blocks = 12, width = 768, heads = 12, hidden = 3072;  // L, D, h, M
    int patch = 16, image = 224, classes = 1000;              // P, H = W, classes
    int channels = 3;
    bool qkv_bias = true;

    std::int64_t patches() const { return static_cast<std::int64_t>(image / patch) * (image / patch); }
    std::int64_t tokens() const { return patches() + 1; }

    bool operator==(const Shape&) const = default;
};

struct Cost {
    std::int64_t parameters = 0;
    std::int64_t multiply_adds = 0;            // of one image's forward pass: linear layers and attention's products
    std::int64_t attention_multiply_adds = 0;  // QKᵀ and A·V alone
    std::int64_t weight_bytes = 0;             // float32
    std::int64_t attention_bytes = 0;          // all N × N maps of all heads and blocks, float32
};

/// Counted from the layers of the ViT paper (Dosovitskiy et al. 2021), biases and class token included.
Cost cost_of(const Shape& shape);

}  // namespace vitrine
