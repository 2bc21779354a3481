#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/base/progress.h"
#include "core/files/preprocessing.h"
#include "core/tensor/parameter.h"
#include "core/transformer/block_weights.h"

namespace vitrine {

/// What the head reads of z_L, before the final norm: see core/vit/readout.h.
enum class Readout {
    class_token,
    mean,  ///< of the patches: average pooling
    last,  ///< the last token
};
const char* name_of(Readout readout);  // "class_token", "mean", "last"

/// What decides every shape of a Vision Transformer. Letters as in core/tensor/tensor.h.
struct Config : TransformerConfig, PixelShape {
    int patch_size = 0;       // P
    int classes = 0;          // 0: the model has no classifier
    bool positions = true;    ///< whether patches know their place; E_pos is zero where not
    bool class_token = true;  ///< whether a learned token stands before the patches
    Readout readout = Readout::class_token;
    std::vector<std::string> labels;  // empty, or one for each class

    int grid_height() const { return image_height / patch_size; }
    int grid_width() const { return image_width / patch_size; }
    int patches() const { return grid_height() * grid_width(); }          // N_p
    int tokens() const { return extra_tokens() + patches(); }             // N
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
    std::string scenes;                    // the set of drawn pictures it learned from, "picturebook"; "" unsaid
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
