#include "core/transformer/encoder_block.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/transformer/backward_layers.h"
#include "core/transformer/layer_scale.h"
#include "core/transformer/sublayer.h"
#include "core/transformer/token_rows.h"

namespace vitrine {

namespace {

/// The rows of one token of each sequence, as far as the MLP's backward pass reads them.
MlpTrace token_row(const MlpTrace& t, Batch batch, int token) {
    const auto rows_if_any = [&](const Tensor2& x) {
        return x.size() == 0 ? Tensor2() : vitrine::token_row(x, batch, token);
    };
    MlpTrace rows;
    rows.hidden = vitrine::token_row(t.hidden, batch, token);
    rows.activation = vitrine::token_row(t.activation, batch, token);
    rows.out = vitrine::token_row(t.out, batch, token);
    rows.value = rows_if_any(t.value);
    rows.gated = rows_if_any(t.gated);
    if (t.norm.out.size() > 0) rows.norm = vitrine::token_row(t.norm, batch, token);
    return rows;
}

/// The parts of a block for the backward pass: their inputs and the destinations of their gradients.
struct Parts {
    BlockBack b;

    Tensor2 mlp_backward(const Tensor2& x, Tensor2 d_out, BlockTrace& g) const {
        return vitrine::mlp_backward(b.layer, learned<MlpWeights>(), b.trace.mlp, x, std::move(d_out), g.mlp);
    }
    AttentionBack attention(const Tensor2& x) const {
        return {.layer = b.layer, .learned = learned<AttentionWeights>(), .trace = b.trace, .x = x, .asked = b.asked};
    }
    Tensor2 norm1_back(const Tensor2& x, const Tensor2& dy) const {
        return norm_back({b.learned.weights.ln1, b.learned.into.ln1, b.trace.ln1, x, epsilon()}, b.learned.gradients,
                         dy);
    }
    Tensor2 norm2_back(const LayerNormTrace& t, const Tensor2& x, const Tensor2& dy) const {
        return norm_back({b.learned.weights.ln2, b.learned.into.ln2, t, x, epsilon()}, b.learned.gradients, dy);
    }
    /// The gradient of a branch before its gain, from the gradient after it.
    Tensor2 unscale_msa(const Tensor2& msa, const Tensor2& d) const {
        return scale_back({b.learned.weights.layer_scale_1, b.learned.into.layer_scale_1, msa}, b.learned.gradients, d);
    }
    Tensor2 unscale_mlp(const Tensor2& out, const Tensor2& d) const {
        return scale_back({b.learned.weights.layer_scale_2, b.learned.into.layer_scale_2, out}, b.learned.gradients, d);
    }
    Learned<LayerNormWeights> norm1() const { return {b.learned.weights.ln1, b.learned.into.ln1, b.learned.gradients}; }
    Learned<LayerNormWeights> norm2() const { return {b.learned.weights.ln2, b.learned.into.ln2, b.learned.gradients}; }

private:
    template <class W>
    Learned<W> learned() const {
        return {b.learned.weights, b.learned.into, b.learned.gradients};
    }
    float epsilon() const { return b.layer.config.layer_norm_epsilon; }
};

}  // namespace

BlockTrace encoder_block(const Layer& layer, const BlockWeights& w, const Tensor2& z, const Tensor3* mask) {
    BlockTrace t;
    t.residual = sublayer(layer, w.ln1, t.ln1, z, [&](const Tensor2& x) -> const Tensor2& {
        attend(layer, w, x, t, {.mask = mask});
        return scale_branch(w.layer_scale_1, t.msa, t.scaled_msa);
    });
    auto out =
        std::make_shared<Tensor2>(sublayer(layer, w.ln2, t.ln2, t.residual, [&](const Tensor2& x) -> const Tensor2& {
            t.mlp = mlp_forward(layer, w, x);
            return scale_branch(w.layer_scale_2, t.mlp.out, t.scaled_mlp);
        }));
    layer.edit(Site::stream, layer.block, *out, &z);
    t.z = std::move(out);
    return t;
}

Tensor2 encoder_block_back(const BlockBack& b, Tensor2 dz, BlockTrace& g) {
    const auto& [layer, learned, t, z, asked] = b;
    const Parts parts{b};
    const bool scaled = layer.config.layer_scale, changed = layer.edit.acts(Site::stream, layer.block);
    Tensor2 bypass;  // the gradient of z that bypasses the block
    if (changed) {
        bypass = Tensor2::from_shape(z.shape());
        std::fill(bypass.begin(), bypass.end(), 0.0F);
        layer.edit.adjoint(Site::stream, layer.block, dz, &bypass);
    }
    // The lambdas capture t by name, since clang 14 does not capture structured bindings.
    g.residual = sublayer_back({layer, parts.norm2(), t.ln2, t.residual, t.mlp_branch()}, dz, g.ln2,
                               [&, &t = t](const Tensor2& x, const Tensor2& d) {
                                   if (scaled) g.scaled_mlp = d;
                                   return parts.mlp_backward(x, parts.unscale_mlp(t.mlp.out, d), g);
                               });
    g.z = std::make_shared<Tensor2>(std::move(dz));
    Tensor2 d_input = sublayer_back({layer, parts.norm1(), t.ln1, z, t.attention_branch()}, g.residual, g.ln1,
                                    [&, &t = t](const Tensor2& x, const Tensor2& d) {
                                        if (scaled) g.scaled_msa = d;
                                        return attend_back(parts.attention(x), parts.unscale_msa(t.msa, d), g);
                                    });
    if (changed) add_to(d_input, bypass);
    return d_input;
}

Tensor2 encoder_block_back_from(int read, const BlockBack& b, const Tensor2& dz) {
    const auto& [layer, learned, t, z, asked] = b;
    const bool normed = layer.config.norm == Norm::before;
    BlockTrace rows, unused;
    rows.mlp = token_row(t.mlp, layer.batch, read);
    rows.residual = token_row(t.residual, layer.batch, read);
    rows.ln2 = token_row(t.ln2, layer.batch, read);
    const Parts of_rows{{layer, learned, rows, z}}, whole{b};
    const bool scaled = layer.config.layer_scale;
    Tensor2 d_residual = of_rows.mlp_backward(rows.ln2.out, of_rows.unscale_mlp(rows.mlp.out, dz), unused);
    if (normed) d_residual = of_rows.norm2_back(rows.ln2, rows.residual, d_residual);
    skip_back(layer, dz, d_residual);
    if (scaled) rows.msa = token_row(t.msa, layer.batch, read);
    Tensor2 dx = attend_back_from(read, whole.attention(t.ln1.out), of_rows.unscale_msa(rows.msa, d_residual));
    if (normed) dx = whole.norm1_back(z, dx);
    if (layer.config.skips) add_to_token_row(dx, read, d_residual);
    return dx;
}

}  // namespace vitrine
