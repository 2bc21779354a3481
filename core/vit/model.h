#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/base/progress.h"
#include "core/tensor/parameter.h"

namespace vitrine {

/// Where a block normalises: before each branch (ViT), after each sum (the original Transformer), or nowhere.
enum class Norm { before, after, none };
const char* name_of(Norm norm);  // "before", "after", "none"

/// What the head reads of z_L, before the final norm: see core/vit/readout.h.
enum class Readout {
    class_token,
    mean,  ///< of the patches: average pooling
    last,  ///< the last token
};
const char* name_of(Readout readout);  // "class_token", "mean", "last"

/// What decides every shape of a Vision Transformer. Letters as in core/tensor/tensor.h.
struct Config {
    int image_height = 0;   // H
    int image_width = 0;    // W
    int channels = 3;       // C, 1 or 3
    int patch_size = 0;     // P
    int embedding_dim = 0;  // D
    int heads = 0;          // h
    int blocks = 0;         // L
    int mlp_dim = 0;        // M
    int classes = 0;        // 0: the model has no classifier
    float layer_norm_epsilon = 1e-6F;
    Activation activation = Activation::gelu;
    Norm norm = Norm::before;
    bool qkv_bias = true;
    bool skips = true;        ///< whether the blocks have residual connections
    bool positions = true;    ///< whether patches know their place; E_pos is zero where not
    bool class_token = true;  ///< whether a learned token stands before the patches
    Readout readout = Readout::class_token;
    std::vector<std::string> labels;  // empty, or one for each class

    int grid_height() const { return image_height / patch_size; }
    int grid_width() const { return image_width / patch_size; }
    int patches() const { return grid_height() * grid_width(); }          // N_p
    int tokens() const { return extra_tokens() + patches(); }             // N
    int head_dim() const { return embedding_dim / heads; }                // d
    int patch_dim() const { return channels * patch_size * patch_size; }  // C·P·P

    // Tokens and patches. What has no place in the image comes first, then the patches row by row.
    int extra_tokens() const { return class_token ? 1 : 0; }
    bool is_patch(int token) const { return token >= extra_tokens(); }
    int patch_of(int token) const { return token - extra_tokens(); }
    int token_of(int patch) const { return extra_tokens() + patch; }
    /// The patches' part of a number for every token.      (N)  ->  (N_p)
    std::span<const float> patches_of(std::span<const float> tokens) const {
        return tokens.subspan(static_cast<std::size_t>(extra_tokens()));
    }

    /// "class 281" where the model has no labels.
    std::string label(int index) const;
};

/// How an image becomes pixels, as the checkpoint's own preprocessor says (HF image processors, timm's
/// `pretrained_cfg`).
struct Preprocessing {
    enum class Resize {
        none,           ///< the image keeps its size
        squash,         ///< to (resize_height, resize_width), aspect not kept
        shortest_edge,  ///< the shortest edge becomes resize_height, aspect kept
        longest_edge,   ///< the longest edge becomes resize_height, aspect kept
    };
    enum class Filter { bilinear, bicubic, lanczos };  // Pillow's
    /// Where the crop begins when an odd number of pixels is to be cut away.
    enum class Rounding { down, half_to_even };  // Hugging Face; torchvision and timm

    Resize resize = Resize::squash;
    int resize_height = 0;
    int resize_width = 0;
    Filter filter = Filter::bilinear;
    bool crop = false;  ///< centre crop (or zero pad) to the model's H × W after the resize
    Rounding crop_rounding = Rounding::down;
    double rescale_factor = 1.0 / 255.0;
    double rescale_offset = 0;                   ///< added to what was rescaled
    bool grey = false;                           ///< every channel takes the luma of the three rescaled ones
    std::vector<double> mean = {0.5, 0.5, 0.5};  // one for each channel
    std::vector<double> std = {0.5, 0.5, 0.5};
    bool flip_channels = false;  ///< blue first: the last that is done, means and deviations stay with their colours
};

struct BlockWeights {
    LayerNormWeights ln1;
    LinearWeights query, key, value;  // (D, D); head i is rows i·d … (i + 1)·d
    LinearWeights projection;         // W_O (D, D)
    LayerNormWeights ln2;
    LinearWeights mlp_in;   // (M, D)
    LinearWeights mlp_out;  // (D, M)
};

struct Weights {
    LinearWeights patch_embedding;  // E (D, C·P·P), a patch flattened in the order (c, y, x)
    Parameter class_token;          // (D), or empty
    Parameter position;             // E_pos (N, D)
    std::vector<BlockWeights> blocks;
    LayerNormWeights norm;     // the final layer norm
    LinearWeights classifier;  // (classes, D), or empty

    std::size_t parameter_count() const;
};

/// Where a model came from, for `info` and the window.
struct Provenance {
    std::string name;                      // shown: the folder's or file's name
    std::string path;                      // "" for the bundled model
    std::string layout;                    // "Hugging Face", "timm", …
    std::vector<std::string> passed_over;  // tensors of the file that the encoder does not use
    std::vector<std::string> notes;        // what was inferred, one sentence each
    std::vector<FileStamp> files;          // as they were when they were read; none of the bundled model
};

/// An immutable pre-norm Vision Transformer (Dosovitskiy et al. 2021).
struct Model {
    Config config;
    Preprocessing preprocessing;
    Weights weights;
    Provenance provenance;
};

/// Whether a file that the model was read from is another one now; so cheap that it can be asked every second.
bool changed_on_disk(const Model& model);

/// A model of normally distributed weights with standard deviation 0.02, the same for the same seed on every platform.
Model random_model(const Config& config, std::uint64_t seed);

/// Lays every weight matrix out for the matrix library (`PackedLinear`); the forward pass works without, but slower.
void prepare(Model& model, const Progress& progress = {});

}  // namespace vitrine
