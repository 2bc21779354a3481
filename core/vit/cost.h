#pragma once

namespace vitrine {

struct Config;

/// The shape of a Vision Transformer, for counting what it costs.
struct Shape {
    int blocks = 12, width = 768, heads = 12, hidden = 3072;  // L, D, h, M
    int patch = 16, image = 224, classes = 1000;              // P, H, classes
    int channels = 3;
    int qkv_biases = 3;           // how many of queries, keys and values have a bias
    int image_width = 0;          // W; 0 for a square image
    int leading = 1, placed = 1;  // learned tokens before the patches; those of them that have a position
    bool position_table = true;   // whether there are rows of E_pos
    bool rotary = false;          // whether queries and keys are turned
    bool qk_norm = false;         // whether they are normalised
    int position_bias = 0;        // rows of each block's table of relative positions
    bool layer_scale = false;     // whether each branch has a gain
    bool gated_mlp = false;       // whether the MLP has a gate
    bool mlp_norm = false;        // whether it normalises its hidden layer
    int patch_biases = 1;         // 0 if the patch embedding has no bias
    int embedding_norms = 0;      // 1 if a layer norm precedes the blocks
    int vectors = 1;              // read by the head, side by side or each by a classifier of its own
    int classifiers = 1;          // 2 of a distilled model
    int normed = 0;               // tokens that the head norms one by one
    int features = 0;             // that the model ends with
    int feature_biases = 0;       // 1 if each has one
    int pooling = 0;              // M of a pooling by attention; 0: there is none

    double patches() const {  // N_p
        return static_cast<double>(image / patch) * ((image_width > 0 ? image_width : image) / patch);
    }
    double tokens() const { return patches() + leading; }  // N

    bool operator==(const Shape&) const = default;
};

/// The shape of a model; `image_width` stays 0 for a square image.
Shape shape_of(const Config& config);

/// Whole numbers, exact up to 2⁵³. They are doubles because a shape typed by the user may exceed every integer type.
struct Cost {
    double parameters = 0;
    double multiply_adds = 0;            // of one image's forward pass: linear layers and attention's products
    double attention_multiply_adds = 0;  // QKᵀ and A·V alone
    double weight_bytes = 0;             // float32
    double attention_bytes = 0;          // all N × N maps of all heads and blocks, float32
    double embedding_bytes = 0;          // of one image's trace, before the first block
    double block_bytes = 0;              // of one image's trace, for each block
    double trace_bytes = 0;              // of one image's whole trace
};

/// Counted from the layers of the ViT paper (Dosovitskiy et al. 2021), biases and the tokens before the patches
/// included.
Cost cost_of(const Shape& shape);

}  // namespace vitrine
