#pragma once

#include <utility>

#include "core/transformer/backward_layers.h"
#include "core/transformer/layer.h"

namespace vitrine {

/// Adds the residual connection to a branch, if the block has one: branch + z.      (B·N, D)
Tensor2 add_skip(const Layer& layer, const Tensor2& branch, const Tensor2& z);

/// Its backward pass: adds the residual connection's share of the gradient to dz.
void skip_back(const Layer& layer, const Tensor2& d_sum, Tensor2& dz);

/// The trace of a skipped layer norm: the statistics of x, and x itself as the output.
LayerNormTrace pass_on(const Tensor2& x);

/// A branch of a block (attention or MLP) with its norm and its residual connection, for every placement of norms:
///
///   before: branch(LN(x)) + x      after: LN(branch(x) + x)      none: branch(x) + x
///
///   x (B·N, D), `branch` maps its input to its output, both (B·N, D)  ->  (B·N, D); `ln` receives the norm's trace
template <class Branch>
Tensor2 sublayer(const Layer& layer, const LayerNormWeights& w, LayerNormTrace& ln, const Tensor2& x, Branch branch) {
    const float epsilon = layer.config.layer_norm_epsilon;
    const Equations equations = layer.edit.equations(layer.config, layer.block);
    switch (equations.norm) {
        case Norm::before: {
            ln = layer_norm(w, x, epsilon);
            return add_skip(layer, branch(ln.out), equations.skip.normed ? ln.out : x);
        }
        case Norm::after: ln = layer_norm(w, add_skip(layer, branch(x), x), epsilon); return ln.out;
        case Norm::none: ln = pass_on(x); break;
    }
    return add_skip(layer, branch(x), x);
}

/// Inputs of a sublayer's backward pass.
struct SublayerBack {
    const Layer& layer;
    Learned<LayerNormWeights> norm;
    const LayerNormTrace& trace;
    const Tensor2& x;    // input of the sublayer
    const Tensor2& out;  // output of the branch
};

/// Backward pass from the gradient of the sum or norm to ∂x; `branch_back` maps the gradient of the branch's output to
/// that of its input.      d (B·N, D)  ->  (B·N, D); `g` receives the gradient of the norm's output
template <class BranchBack>
Tensor2 sublayer_back(const SublayerBack& s, const Tensor2& d, LayerNormTrace& g, BranchBack branch_back) {
    const Layer& layer = s.layer;
    const auto through_norm = [&](const Tensor2& normed, const Tensor2& dy) {
        return norm_back({s.norm.weights, s.norm.into, s.trace, normed, layer.config.layer_norm_epsilon},
                         s.norm.gradients, dy);
    };
    const Equations equations = layer.edit.equations(layer.config, layer.block);
    switch (equations.norm) {
        case Norm::before: {
            const bool normed = equations.skip.normed;
            g.out = branch_back(s.trace.out, d);
            if (normed) skip_back(layer, d, g.out);
            Tensor2 dx = through_norm(s.x, g.out);
            if (!normed) skip_back(layer, d, dx);
            return dx;
        }
        case Norm::after: {
            // The normalised sum: the trace stores it only after the norm.
            g.out = d;
            const Tensor2 d_sum = through_norm(add_skip(layer, s.out, s.x), d);
            Tensor2 dx = branch_back(s.x, d_sum);
            skip_back(layer, d_sum, dx);
            return dx;
        }
        case Norm::none: break;
    }
    Tensor2 dx = branch_back(s.x, d);
    skip_back(layer, d, dx);
    return dx;
}

}  // namespace vitrine
