#pragma once

#include "core/base/names.h"
#include "core/tensor/parameter.h"

namespace vitrine {

/// Where a block normalises: before each branch (ViT), after each sum (the original Transformer), or nowhere.
enum class Norm { before, after, none };
const char* name_of(Norm norm);  // "before", "after", "none"

/// Kinds of position embeddings.
enum class Positions {
    sines,    ///< a fixed row of sines and cosines for each position: for texts PE(p, 2i) = sin(p / 10000^(2i/D)),
              ///< PE(p, 2i + 1) = cos(p / 10000^(2i/D)) (Vaswani et al. 2017, § 3.5); for pictures the model's E_pos,
              ///< which is not trained
    learned,  ///< a learned row for each position, as in ViT and GPT
    none,
    rotary,  ///< queries and keys are rotated by angles that grow with the position (Su et al. 2021)
};
inline constexpr Named<Positions> positions_table[] = {{Positions::sines, "sines"},
                                                       {Positions::learned, "learned"},
                                                       {Positions::none, "none"},
                                                       {Positions::rotary, "rotary"}};

/// How rotary positions rotate queries and keys.
struct Rotary {
    double base = 100;  ///< θ: pairs' angles are the coordinate times 1, θ^−1/n, θ^−2/n …, with n = d/4 pairs per axis
    bool neighbours = false;  ///< pairs are features 2i and 2i + 1, else i and i + d/2
    static constexpr int own_grid = -1;
    int grid = 0;  ///< 0: coordinates are distances from the centre, 2π at the edge (DINOv3); `own_grid`: row and
                   ///< column numbers (RoPE-ViT); else these scaled to a grid of this many rows and columns (EVA-02)
    bool columns_first = false;  ///< whether the first half of the pairs has the column's angles, not the row's

    bool operator==(const Rotary&) const = default;
};

/// Configuration common to all Transformers: width, depth, and the contents of the blocks. Letters as in
/// core/tensor/tensor.h. It does not include the number of tokens N, which may vary between runs.
struct TransformerConfig {
    int embedding_dim = 0;  // D
    int heads = 0;          // h
    int blocks = 0;         // L
    int mlp_dim = 0;        // M
    float layer_norm_epsilon = 1e-6F;
    Activation activation = Activation::gelu;
    Norm norm = Norm::before;
    Positions positions = Positions::learned;
    Rotary rotary = {};          ///< for rotary positions
    bool position_table = true;  ///< whether the model has rows of E_pos, added to tokens unless positions are off
    int position_bias = 0;       ///< rows of each block's table of relative positions, added to scores; 0: none
    bool qk_norm = false;        ///< whether each head's queries and keys are normalised
    bool query_bias = true, key_bias = true, value_bias = true;
    bool skips = true;         ///< whether the blocks have residual connections
    bool layer_scale = false;  ///< whether each branch has a learned gain (Touvron et al. 2021)

    bool gated_mlp = false;  ///< whether the MLP's hidden layer is act(x W_g) ⊙ x W_x (Shazeer 2020)
    bool mlp_norm = false;   ///< whether the MLP normalises its hidden layer before the second linear layer

    /// True if blocks are those of the ViT paper, without additional parts.
    bool plain_blocks() const {
        return positions != Positions::rotary && position_table && position_bias == 0 && !qk_norm && !layer_scale &&
               !gated_mlp && !mlp_norm;
    }
    int head_dim() const { return embedding_dim / heads; }  // d

    bool operator==(const TransformerConfig&) const = default;
};

/// The norms and residual connections of a deep encoder, which decide whether its gradients vanish.
enum class Wiring { pre_norm, post_norm, no_norm, no_skips, neither };
inline constexpr Named<Wiring> wiring_names[] = {{Wiring::pre_norm, "pre_norm"},
                                                 {Wiring::post_norm, "post_norm"},
                                                 {Wiring::no_norm, "no_norm"},
                                                 {Wiring::no_skips, "no_skips"},
                                                 {Wiring::neither, "neither"}};

}  // namespace vitrine
