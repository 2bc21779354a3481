#pragma once

#include "core/base/names.h"
#include "core/tensor/parameter.h"

namespace vitrine {

/// Where a block normalises: before each branch (ViT), after each sum (the original Transformer), or nowhere.
enum class Norm { before, after, none };
const char* name_of(Norm norm);  // "before", "after", "none"

/// Kinds of position embeddings.
enum class Positions {
    sines,    ///< a fixed row of sines and cosines for each place: of texts PE(p, 2i) = sin(p / 10000^(2i/D)),
              ///< PE(p, 2i + 1) = cos of the same (Vaswani et al. 2017, § 3.5); of pictures E_pos as the model has it
    learned,  ///< a learned row for each place, as in ViT and GPT
    none,
};
inline constexpr Named<Positions> positions_table[] = {
    {Positions::sines, "sines"}, {Positions::learned, "learned"}, {Positions::none, "none"}};

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
    bool query_bias = true, key_bias = true, value_bias = true;
    bool skips = true;         ///< whether the blocks have residual connections
    bool layer_scale = false;  ///< whether each branch has a learned gain (CaiT, Touvron et al. 2021)

    bool gated_mlp = false;    ///< whether the MLP's hidden layer is act(x W_g) ⊙ x W_x (Shazeer 2020)
    bool mlp_norm = false;     ///< whether the MLP normalises its hidden layer before the second linear layer

    int head_dim() const { return embedding_dim / heads; }  // d

    bool operator==(const TransformerConfig&) const = default;
};

/// Wiring of a deep encoder, which decides whether its gradients survive.
enum class Wiring { pre_norm, post_norm, no_norm, no_skips, neither };
inline constexpr Named<Wiring> wiring_names[] = {{Wiring::pre_norm, "pre_norm"},
                                                 {Wiring::post_norm, "post_norm"},
                                                 {Wiring::no_norm, "no_norm"},
                                                 {Wiring::no_skips, "no_skips"},
                                                 {Wiring::neither, "neither"}};

}  // namespace vitrine
