#include "core/transformer/mlp.h"

#include <utility>

#include "core/transformer/backward_layers.h"

namespace vitrine {

MlpTrace mlp_forward(const Layer& layer, const MlpWeights& w, const Tensor2& x) {
    const auto& [c, block, batch, edit] = layer;
    MlpTrace t;
    // clang-format off
    t.hidden = linear(w.mlp_in, x);                     edit(Site::mlp_hidden, block, t.hidden);
    t.activation = activate(c.activation, t.hidden);    edit(Site::mlp_activation, block, t.activation, &t.hidden);
    t.out = linear(w.mlp_out, t.activation);            edit(Site::mlp_out, block, t.out);
    // clang-format on
    return t;
}

Tensor2 mlp_backward(const Layer& layer, const Learned<MlpWeights>& learned, const MlpTrace& t, const Tensor2& x,
                     Tensor2 d_out, MlpTrace& g) {
    const auto& [c, block, batch, edit] = layer;
    const auto& [w, into, gradients] = learned;
    edit.adjoint(Site::mlp_out, block, d_out);
    Tensor2 d_activation = linear_back(w.mlp_out, into.mlp_out, gradients, t.activation, d_out);
    edit.adjoint(Site::mlp_activation, block, d_activation);
    Tensor2 d_hidden = activate_back(edit.equations(c, block).activation, t.hidden, d_activation);
    edit.adjoint(Site::mlp_hidden, block, d_hidden);
    Tensor2 dx = linear_back(w.mlp_in, into.mlp_in, gradients, x, d_hidden);
    g = {std::move(d_hidden), std::move(d_activation), std::move(d_out)};
    return dx;
}

}  // namespace vitrine
