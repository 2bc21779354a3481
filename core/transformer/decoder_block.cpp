#include "core/transformer/decoder_block.h"

#include <cassert>
#include <memory>
#include <utility>

#include "core/transformer/sublayer.h"

namespace vitrine {

namespace {

Attended to_itself(const DecoderInput& in) { return {.causal = in.causal, .cache = in.self_cache}; }
Attended to_memory(const DecoderInput& in) {
    return {.memory = in.memory, .memory_batch = in.memory_batch, .cache = in.cross_cache};
}

template <class W>
Learned<W> learned_part(const DecoderBack& b, const W& weights, const W& into) {
    return {weights, into, b.learned.gradients};
}

}  // namespace

DecoderTrace decoder_block(const Layer& layer, const DecoderWeights& w, const DecoderInput& in) {
    assert(w.crosses() == (in.memory != nullptr));
    const Editor cross_editor = layer.edit.of(Attention::cross);
    const Layer crossing{layer.config, layer.block, layer.batch, cross_editor};
    DecoderTrace t;
    t.residual = sublayer(layer, w.ln1, t.ln1, in.z, [&](const Tensor2& x) -> const Tensor2& {
        attend(layer, w.self, x, t.self, to_itself(in));
        return t.self.msa;
    });
    t.crossed = !w.crosses() ? t.residual
                             : sublayer(crossing, w.ln2, t.ln2, t.residual, [&](const Tensor2& x) -> const Tensor2& {
                                   attend(crossing, w.cross, x, t.cross, to_memory(in));
                                   return t.cross.msa;
                               });
    auto out =
        std::make_shared<Tensor2>(sublayer(layer, w.ln3, t.ln3, t.crossed, [&](const Tensor2& x) -> const Tensor2& {
            t.mlp = mlp_forward(layer, w, x);
            return t.mlp.out;
        }));
    layer.edit(Site::stream, layer.block, *out, &in.z);
    t.z = std::move(out);
    return t;
}

Tensor2 decoder_block_back(const DecoderBack& b, Tensor2 dz, DecoderTrace& g) {
    const Layer& layer = b.layer;
    const DecoderWeights &w = b.learned.weights, &into = b.learned.into;
    const DecoderTrace& t = b.trace;
    const bool changed = layer.edit.acts(Site::stream, layer.block);
    Tensor2 bypass;  // the gradient of z that bypasses the block
    if (changed) {
        bypass = Tensor2::from_shape(b.in.z.shape());
        std::fill(bypass.begin(), bypass.end(), 0.0F);
        layer.edit.adjoint(Site::stream, layer.block, dz, &bypass);
    }
    g.crossed = sublayer_back({layer, learned_part(b, w.ln3, into.ln3), t.ln3, t.crossed, t.mlp.out}, dz, g.ln3,
                              [&](const Tensor2& x, const Tensor2& d) {
                                  return mlp_backward(layer, learned_part<MlpWeights>(b, w, into), t.mlp, x, d, g.mlp);
                              });
    g.z = std::make_shared<Tensor2>(std::move(dz));

    const Editor cross_editor = layer.edit.of(Attention::cross);
    const Layer crossing{layer.config, layer.block, layer.batch, cross_editor};
    g.residual =
        !w.crosses()
            ? g.crossed
            : sublayer_back({crossing, learned_part(b, w.ln2, into.ln2), t.ln2, t.residual, t.cross.msa}, g.crossed,
                            g.ln2, [&](const Tensor2& x, const Tensor2& d) {
                                const auto learned = learned_part(b, w.cross, into.cross);
                                return attend_back({crossing, learned, t.cross, x, to_memory(b.in), b.memory_gradient},
                                                   d, g.cross);
                            });
    Tensor2 d_input = sublayer_back({layer, learned_part(b, w.ln1, into.ln1), t.ln1, b.in.z, t.self.msa}, g.residual,
                                    g.ln1, [&](const Tensor2& x, const Tensor2& d) {
                                        const auto learned = learned_part(b, w.self, into.self);
                                        return attend_back({layer, learned, t.self, x, to_itself(b.in)}, d, g.self);
                                    });
    if (changed) add_to(d_input, bypass);
    return d_input;
}

}  // namespace vitrine
