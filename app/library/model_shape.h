#pragma once

namespace vitrine {

struct Config;

/// The sizes of a plain Vision Transformer, which users can choose in the chapter about models. The default,
/// ViT-Base/16, means that nothing was chosen.
struct Shape {
    int blocks = 12, width = 768, heads = 12, hidden = 3072;  // L, D, h, M
    int patch = 16, image = 224, classes = 1000;              // P, H, classes
    int channels = 3;
    int qkv_biases = 3;           // how many of queries, keys and values have a bias
    int image_width = 0;          // W; 0 for a square image
    int leading = 1, placed = 1;  // learned tokens before the patches; those of them that have a position

    bool operator==(const Shape&) const = default;
};

/// The sizes of a model; `image_width` stays 0 for a square image.
Shape shape_of(const Config& config);
/// A plain Vision Transformer of these sizes.
Config config_of(const Shape& shape);
/// A model with other sizes: norms, gates, gains, pooling and kinds of tokens stay where the sizes allow it.
Config resized(Config config, const Shape& shape);

}  // namespace vitrine
