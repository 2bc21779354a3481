#include "core/transformer/block_weights.h"

namespace vitrine {

LinearWeights lay_out_linear(int outputs, int inputs, const MakeParameter& make, bool biased) {
    const auto rows = static_cast<std::size_t>(outputs), columns = static_cast<std::size_t>(inputs);
    LinearWeights w;
    w.weight = make({rows, columns});
    if (biased) w.bias = make({rows});
    return w;
}

LayerNormWeights lay_out_norm(int features, const MakeParameter& make) {
    const auto count = static_cast<std::size_t>(features);
    LayerNormWeights w;
    w.gamma = make({count});
    w.beta = make({count});
    return w;
}

LayerNormWeights lay_out_norm(const TransformerConfig& c, const MakeParameter& make) {
    return lay_out_norm(c.embedding_dim, make);
}

AttentionWeights lay_out_attention(const TransformerConfig& c, const MakeParameter& make) {
    const int d = c.embedding_dim;
    AttentionWeights w;
    w.query = lay_out_linear(d, d, make, c.query_bias);
    w.key = lay_out_linear(d, d, make, c.key_bias);
    w.value = lay_out_linear(d, d, make, c.value_bias);
    if (c.qk_norm) {
        w.query_norm = lay_out_norm(c.head_dim(), make);
        w.key_norm = lay_out_norm(c.head_dim(), make);
    }
    if (c.position_bias > 0)
        w.position_bias = make({static_cast<std::size_t>(c.position_bias), static_cast<std::size_t>(c.heads)});
    w.projection = lay_out_linear(d, d, make);
    return w;
}

MlpWeights lay_out_mlp(const TransformerConfig& c, const MakeParameter& make) {
    MlpWeights w;
    w.mlp_in = lay_out_linear(c.mlp_dim, c.embedding_dim, make);
    if (c.gated_mlp) w.mlp_value = lay_out_linear(c.mlp_dim, c.embedding_dim, make);
    if (c.mlp_norm) w.mlp_norm = lay_out_norm(c.mlp_dim, make);
    w.mlp_out = lay_out_linear(c.embedding_dim, c.mlp_dim, make);
    return w;
}

BlockWeights lay_out_block(const TransformerConfig& c, const MakeParameter& make) {
    BlockWeights w;
    w.ln1 = lay_out_norm(c, make);
    static_cast<AttentionWeights&>(w) = lay_out_attention(c, make);
    const auto features = static_cast<std::size_t>(c.embedding_dim);
    if (c.layer_scale) w.layer_scale_1 = make({features});
    w.ln2 = lay_out_norm(c, make);
    static_cast<MlpWeights&>(w) = lay_out_mlp(c, make);
    if (c.layer_scale) w.layer_scale_2 = make({features});
    return w;
}

DecoderWeights lay_out_decoder(const TransformerConfig& c, Crossing crossing, const MakeParameter& make) {
    DecoderWeights w;
    w.ln1 = lay_out_norm(c, make);
    w.self = lay_out_attention(c, make);
    if (crossing == Crossing::yes) {
        w.ln2 = lay_out_norm(c, make);
        w.cross = lay_out_attention(c, make);
    }
    w.ln3 = lay_out_norm(c, make);
    static_cast<MlpWeights&>(w) = lay_out_mlp(c, make);
    return w;
}

}  // namespace vitrine
