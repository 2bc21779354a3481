#include "core/transformer/encoder_block.h"

#include <memory>
#include <utility>

#include "core/transformer/backward_layers.h"
#include "core/transformer/token_rows.h"

namespace vitrine {

namespace {

/// A layer norm that is left out: its statistics, and its input as its output.
LayerNormTrace pass_on(const Tensor2& x) {
    LayerNormTrace t = row_statistics(x);
    t.out = x;
    return t;
}

/// The parts of a block, gone back through: what each reads and where its gradients go.
struct Parts {
    BlockBack b;

    Tensor2 think_back(const Tensor2& x, Tensor2 d_out, BlockTrace& g) const {
        return vitrine::think_back(b.layer, learned<MlpWeights>(), b.trace.mlp, x, std::move(d_out), g.mlp);
    }
    AttentionBack attention(const Tensor2& x) const { return {b.layer, learned<AttentionWeights>(), b.trace, x}; }
    Tensor2 norm1_back(const Tensor2& x, const Tensor2& dy) const {
        return norm_back({b.learned.weights.ln1, b.learned.into.ln1, b.trace.ln1, x, epsilon()}, b.learned.gradients,
                         dy);
    }
    Tensor2 norm2_back(const LayerNormTrace& t, const Tensor2& x, const Tensor2& dy) const {
        return norm_back({b.learned.weights.ln2, b.learned.into.ln2, t, x, epsilon()}, b.learned.gradients, dy);
    }

private:
    template <class W>
    Learned<W> learned() const {
        return {b.learned.weights, b.learned.into, b.learned.gradients};
    }
    float epsilon() const { return b.layer.config.layer_norm_epsilon; }
};

}  // namespace

Tensor2 add_skip(const Layer& layer, const Tensor2& branch, const Tensor2& z) {
    if (!layer.config.skips) return branch;
    if (!layer.edit.acts(Site::skip, layer.block)) return add(branch, z);
    Tensor2 skip = z;
    layer.edit(Site::skip, layer.block, skip);
    return add(branch, skip);
}

void skip_back(const Layer& layer, const Tensor2& d_sum, Tensor2& dz) {
    if (!layer.config.skips) return;
    Tensor2 skipped = d_sum;
    layer.edit.adjoint(Site::skip, layer.block, skipped);
    add_to(dz, skipped);
}

BlockTrace encoder_block(const Layer& layer, const BlockWeights& w, const Tensor2& z, const Tensor3* mask) {
    const float epsilon = layer.config.layer_norm_epsilon;
    const Attended to{.mask = mask};
    const bool normed = layer.edit.has<CarryNormed>(layer.block);
    BlockTrace t;
    switch (layer.edit.norm(layer.config, layer.block)) {
        case Norm::before:
            t.ln1 = layer_norm(w.ln1, z, epsilon);
            attend(layer, w, t.ln1.out, t, to);
            t.residual = add_skip(layer, t.msa, normed ? t.ln1.out : z);
            t.ln2 = layer_norm(w.ln2, t.residual, epsilon);
            t.mlp = think(layer, w, t.ln2.out);
            t.z = std::make_shared<Tensor2>(add_skip(layer, t.mlp.out, normed ? t.ln2.out : t.residual));
            break;
        case Norm::after:
            attend(layer, w, z, t, to);
            t.ln1 = layer_norm(w.ln1, add_skip(layer, t.msa, z), epsilon);
            t.residual = t.ln1.out;
            t.mlp = think(layer, w, t.residual);
            t.ln2 = layer_norm(w.ln2, add_skip(layer, t.mlp.out, t.residual), epsilon);
            t.z = std::make_shared<Tensor2>(t.ln2.out);
            break;
        case Norm::none:
            t.ln1 = pass_on(z);
            attend(layer, w, z, t, to);
            t.residual = add_skip(layer, t.msa, z);
            t.ln2 = pass_on(t.residual);
            t.mlp = think(layer, w, t.residual);
            t.z = std::make_shared<Tensor2>(add_skip(layer, t.mlp.out, t.residual));
            break;
    }
    return t;
}

Tensor2 encoder_block_back(const BlockBack& b, Tensor2 dz, BlockTrace& g) {
    const auto& [layer, learned, t, z] = b;
    const Parts parts{b};
    switch (layer.edit.norm(layer.config, layer.block)) {
        case Norm::before: {
            g.z = std::make_shared<Tensor2>(dz);
            const bool normed = layer.edit.has<CarryNormed>(layer.block);
            g.ln2.out = parts.think_back(t.ln2.out, dz, g);
            if (normed) skip_back(layer, dz, g.ln2.out);
            g.residual = parts.norm2_back(t.ln2, t.residual, g.ln2.out);
            if (!normed) skip_back(layer, dz, g.residual);
            g.ln1.out = attend_back(parts.attention(t.ln1.out), g.residual, g);
            if (normed) skip_back(layer, g.residual, g.ln1.out);
            Tensor2 dx = parts.norm1_back(z, g.ln1.out);
            if (!normed) skip_back(layer, g.residual, dx);
            return dx;
        }
        case Norm::after: {
            // The sums that were normalised: the trace holds them only after the norm.
            g.ln2.out = dz;
            g.z = std::make_shared<Tensor2>(dz);
            const Tensor2 d_sum = parts.norm2_back(t.ln2, add_skip(layer, t.mlp.out, t.residual), dz);
            g.residual = parts.think_back(t.residual, d_sum, g);
            skip_back(layer, d_sum, g.residual);
            g.ln1.out = g.residual;
            const Tensor2 d_first = parts.norm1_back(add_skip(layer, t.msa, z), g.residual);
            Tensor2 dx = attend_back(parts.attention(z), d_first, g);
            skip_back(layer, d_first, dx);
            return dx;
        }
        case Norm::none: {
            g.z = std::make_shared<Tensor2>(dz);
            g.residual = parts.think_back(t.residual, dz, g);
            skip_back(layer, dz, g.residual);
            Tensor2 dx = attend_back(parts.attention(z), g.residual, g);
            skip_back(layer, g.residual, dx);
            return dx;
        }
    }
    return dz;
}

Tensor2 encoder_block_back_from(int read, const BlockBack& b, const Tensor2& dz) {
    const auto& [layer, learned, t, z] = b;
    const bool normed = layer.config.norm == Norm::before;
    BlockTrace rows, unused;
    rows.mlp.hidden = token_row(t.mlp.hidden, layer.batch, read);
    rows.mlp.activation = token_row(t.mlp.activation, layer.batch, read);
    rows.residual = token_row(t.residual, layer.batch, read);
    rows.ln2 = token_row(t.ln2, layer.batch, read);
    const Parts of_rows{{layer, learned, rows, z}}, whole{b};
    Tensor2 d_residual = of_rows.think_back(rows.ln2.out, dz, unused);
    if (normed) d_residual = of_rows.norm2_back(rows.ln2, rows.residual, d_residual);
    skip_back(layer, dz, d_residual);
    Tensor2 dx = attend_back_from(read, whole.attention(t.ln1.out), d_residual);
    if (normed) dx = whole.norm1_back(z, dx);
    if (layer.config.skips) add_to_token_row(dx, read, d_residual);
    return dx;
}

}  // namespace vitrine
