#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/transformer/config.h"

namespace vitrine {

struct AttentionWeights {
    LinearWeights query, key, value;        // (D, D); head i is rows i·d … (i + 1)·d
    LayerNormWeights query_norm, key_norm;  // (d), of every head's queries and keys; or empty
    Parameter position_bias;                // (rows, h), added to the score of a pair of positions; or empty
    LinearWeights projection;               // W_O (D, D)
};

struct MlpWeights {
    LinearWeights mlp_in;       // (M, D); of a gated MLP the gate's
    LinearWeights mlp_value;    // (M, D), multiplied by the gate; empty without a gate
    LayerNormWeights mlp_norm;  // (M), of the hidden layer; or empty
    LinearWeights mlp_out;      // (D, M)
};

/// The parameters of an encoder block.
struct BlockWeights : AttentionWeights, MlpWeights {
    LayerNormWeights ln1, ln2;
    Parameter layer_scale_1, layer_scale_2;  // γ (D), the gains of attention and of the MLP; or empty
};

/// The parameters of a decoder block; without an encoder there is no `cross` and no `ln2`.
struct DecoderWeights : MlpWeights {
    AttentionWeights self, cross;
    LayerNormWeights ln1, ln2, ln3;  // of self-attention, cross-attention, MLP

    bool crosses() const { return !cross.query.weight.empty(); }
};

/// Called for each parameter with its shape; the caller decides whether it counts, places or initialises the parameter.
using MakeParameter = std::function<Parameter(const std::vector<std::size_t>& shape)>;

// The layout of a Transformer's parts: their parameters in the order in which a run uses them.

LinearWeights lay_out_linear(int outputs, int inputs, const MakeParameter& make, bool biased = true);
LayerNormWeights lay_out_norm(int features, const MakeParameter& make);
LayerNormWeights lay_out_norm(const TransformerConfig& config, const MakeParameter& make);
AttentionWeights lay_out_attention(const TransformerConfig& config, const MakeParameter& make);
MlpWeights lay_out_mlp(const TransformerConfig& config, const MakeParameter& make);
BlockWeights lay_out_block(const TransformerConfig& config, const MakeParameter& make);

/// Whether a decoder has cross-attention.
enum class Crossing { no, yes };
DecoderWeights lay_out_decoder(const TransformerConfig& config, Crossing crossing, const MakeParameter& make);

}  // namespace vitrine
