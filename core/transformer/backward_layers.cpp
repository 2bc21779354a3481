#include "core/transformer/backward_layers.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vitrine {

void add_to(Tensor2& sum, const Tensor2& x) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += x.data()[i];
}

void weight_gradients(const LinearWeights& into, FlatNumbers& gradients, const Tensor2& x, const Tensor2& dy) {
    if (into.weight.empty()) return;
    multiply({.a = view(dy), .b = view(x), .transpose_a = Transpose::yes}, gradients.at(into.weight));
    if (into.bias.empty()) return;
    float* const bias = gradients.at(into.bias);
    const std::size_t columns = columns_of(dy);
    std::fill_n(bias, columns, 0.0F);
    for (std::size_t r = 0; r < rows_of(dy); ++r) {
        const float* const row = &dy(r, 0);
#pragma omp simd
        for (std::size_t i = 0; i < columns; ++i) bias[i] += row[i];
    }
}

void input_gradient(const LinearWeights& w, const Tensor2& dy, Tensor2& dx, Product::Into into) {
    multiply({.a = view(dy), .b = view(w.weight), .into = into}, dx.data());
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
    const float* const gamma = n.weights.gamma.data();
    std::vector<float> unwanted(n.into.gamma.empty() ? 2 * features : 0);
    float* const gamma_gradient = unwanted.empty() ? gradients.at(n.into.gamma) : unwanted.data();
    float* const beta_gradient = unwanted.empty() ? gradients.at(n.into.beta) : unwanted.data() + features;
    std::fill_n(gamma_gradient, features, 0.0F);
    std::fill_n(beta_gradient, features, 0.0F);
    Tensor2 dx = tensor2(rows, features);
    for (std::size_t r = 0; r < rows; ++r) {
        const float* const x = &n.x(r, 0);
        const float* const d = &dy(r, 0);
        float* const out = &dx(r, 0);
        const float mean = n.trace.mean(r), factor = 1.0F / std::sqrt(n.trace.var(r) + n.epsilon);
        float sum = 0.0F, along = 0.0F;
#pragma omp simd reduction(+ : sum, along)
        for (std::size_t i = 0; i < features; ++i) {
            const float normal = (x[i] - mean) * factor, g = d[i] * gamma[i];
            sum += g;
            along += g * normal;
            gamma_gradient[i] += d[i] * normal;
            beta_gradient[i] += d[i];
        }
        sum /= static_cast<float>(features);
        along /= static_cast<float>(features);
#pragma omp simd
        for (std::size_t i = 0; i < features; ++i) {
            const float normal = (x[i] - mean) * factor;
            out[i] = factor * (d[i] * gamma[i] - sum - normal * along);
        }
    }
    return dx;
}

}  // namespace vitrine
