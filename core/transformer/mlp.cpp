#include "core/transformer/mlp.h"

#include <utility>

#include "core/transformer/backward_layers.h"

namespace vitrine {

MlpTrace mlp_forward(const Layer& layer, const MlpWeights& w, const Tensor2& x) {
    const auto& [c, block, batch, edit, places] = layer;
    MlpTrace t;
    // clang-format off
    t.hidden = linear(w.mlp_in, x);                     edit(Site::mlp_hidden, block, t.hidden);
    t.activation = activate(c.activation, t.hidden);    edit(Site::mlp_activation, block, t.activation, &t.hidden);
    if (c.gated_mlp) {
        t.value = linear(w.mlp_value, x);
        t.gated = times(t.activation, t.value);
    }
    if (c.mlp_norm) t.norm = layer_norm(w.mlp_norm, t.hidden_layer(), c.layer_norm_epsilon);
    t.out = linear(w.mlp_out, t.inside());              edit(Site::mlp_out, block, t.out);
    // clang-format on
    return t;
}

Tensor2 mlp_backward(const Layer& layer, const Learned<MlpWeights>& learned, const MlpTrace& t, const Tensor2& x,
                     Tensor2 d_out, MlpTrace& g) {
    const auto& [c, block, batch, edit, places] = layer;
    const auto& [w, into, gradients] = learned;
    edit.adjoint(Site::mlp_out, block, d_out);
    g = {};
    Tensor2 d_activation = linear_back(w.mlp_out, into.mlp_out, gradients, t.inside(), d_out);
    if (c.mlp_norm) {
        g.norm.out = d_activation;
        d_activation = norm_back({w.mlp_norm, into.mlp_norm, t.norm, t.hidden_layer(), c.layer_norm_epsilon}, gradients,
                                 g.norm.out);
    }
    if (c.gated_mlp) {
        g.value = times(d_activation, t.activation);
        g.gated = std::move(d_activation);
        d_activation = times(g.gated, t.value);
    }
    edit.adjoint(Site::mlp_activation, block, d_activation);
    Tensor2 d_hidden = activate_back(edit.equations(c, block).activation, t.hidden, d_activation);
    edit.adjoint(Site::mlp_hidden, block, d_hidden);
    Tensor2 dx = linear_back(w.mlp_in, into.mlp_in, gradients, x, d_hidden);
    if (c.gated_mlp) {
        weight_gradients(into.mlp_value, gradients, x, g.value);
        input_gradient(w.mlp_value, g.value, dx, Product::Into::sum);
    }
    g.hidden = std::move(d_hidden);
    g.activation = std::move(d_activation);
    g.out = std::move(d_out);
    return dx;
}

}  // namespace vitrine
