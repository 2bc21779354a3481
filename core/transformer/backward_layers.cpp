#include "core/transformer/backward_layers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tensor/rows.h"

namespace vitrine {

void add_to(Tensor2& sum, const Tensor2& x) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += x.data()[i];
}

void weight_gradients(const LinearWeights& into, FlatNumbers& gradients, const Tensor2& x, const Tensor2& dy) {
    if (into.weight.empty()) return;
    multiply({.a = view(dy), .b = view(x), .transpose_a = Transpose::yes, .varied = into.varied_rows},
             gradients.at(into.weight));
    if (into.bias.empty()) return;
    float* const bias = gradients.at(into.bias);
    const std::size_t columns = columns_of(dy);
    std::fill_n(bias, columns, 0.0F);
    const auto add_row = row_kernels().add_to;
    for (std::size_t r = 0; r < rows_of(dy); ++r) add_row(bias, &dy(r, 0), columns);
}

void input_gradient(const LinearWeights& w, const Tensor2& dy, Tensor2& dx, Product::Into into) {
    const Parameter weight = w.weight.stored();
    multiply({.a = view(dy), .b = view(weight), .into = into, .varied = w.varied_rows}, dx.data());
}

Tensor2 linear_back(const LinearWeights& w, const LinearWeights& into, FlatNumbers& gradients, const Tensor2& x,
                    const Tensor2& dy) {
    weight_gradients(into, gradients, x, dy);
    Tensor2 dx = tensor2(rows_of(dy), w.weight.shape()[1]);
    input_gradient(w, dy, dx);
    return dx;
}

Tensor2 norm_back(const NormBack& n, FlatNumbers& gradients, const Tensor2& dy) {
    const std::size_t rows = rows_of(n.x), features = columns_of(n.x);
    std::vector<float> unwanted(n.into.gamma.empty() ? 2 * features : 0);
    float* const gamma_gradient = unwanted.empty() ? gradients.at(n.into.gamma) : unwanted.data();
    float* const beta_gradient = unwanted.empty() ? gradients.at(n.into.beta) : unwanted.data() + features;
    std::fill_n(gamma_gradient, features, 0.0F);
    std::fill_n(beta_gradient, features, 0.0F);
    Tensor2 dx = tensor2(rows, features);
    const auto normalise_back = row_kernels().normalise_back;
    for (std::size_t r = 0; r < rows; ++r) {
        const float mean = n.trace.mean(r), factor = 1.0F / std::sqrt(n.trace.var(r) + n.epsilon);
        normalise_back({&n.x(r, 0), &dy(r, 0), n.weights.gamma.data(), gamma_gradient, beta_gradient, mean, factor},
                       &dx(r, 0), features);
    }
    return dx;
}

}  // namespace vitrine
