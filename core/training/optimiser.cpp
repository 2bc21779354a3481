#include "core/training/optimiser.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"
#include "core/tensor/tensor.h"

namespace vitrine {

namespace {

constexpr float first_beta = 0.9F;
constexpr float muon_scale = 0.2F;  // gives updates of about the same length as AdamW's (Liu et al. 2025)

void adamw(const UpdatePart& part, const UpdateStep& step, float* w, const float* gradient, float* m, float* v) {
    const double rate_share = part.beside_muon ? step.vector_rate : 1;
    const auto rate = static_cast<float>(rate_share * step.learning_rate),
               scale = static_cast<float>(step.gradient_scale);
    const float decay = part.decays ? rate * static_cast<float>(step.weight_decay) : 0.0F;
    const auto steps = static_cast<double>(step.step);
    const auto second_beta = static_cast<float>(step.second_beta);
    const auto first_bias = static_cast<float>(1 - std::pow(static_cast<double>(first_beta), steps));
    const auto second_bias = static_cast<float>(1 - std::pow(static_cast<double>(second_beta), steps));
    const AdamStep constants{.beta1 = first_beta,
                             .beta2 = second_beta,
                             .epsilon = static_cast<float>(step.epsilon),
                             .gradient_scale = scale,
                             .decay = decay,
                             .length = rate / first_bias,
                             .root = 1 / std::sqrt(second_bias)};
    row_kernels().adamw(constants, gradient, m, v, w, part.rows * part.columns);
}

void muon(const UpdatePart& part, const UpdateStep& step, float* w, const float* gradient, float* m) {
    const std::size_t count = part.rows * part.columns;
    Tensor2 direction = tensor2(part.rows, part.columns);
    row_kernels().momentum(static_cast<float>(step.momentum), gradient, m, direction.data(), count);
    orthogonalise(direction.data(), part.rows, part.columns);
    const auto rate = static_cast<float>(step.learning_rate);
    const float decay = rate * static_cast<float>(step.weight_decay);
    const float length = rate * muon_scale * std::sqrt(static_cast<float>(std::max(part.rows, part.columns)));
    row_kernels().descend(decay, length, direction.data(), w, count);
}

}  // namespace

double UpdatePart::cost() const {
    const double size = static_cast<double>(rows * columns);
    const double shorter = static_cast<double>(std::min(rows, columns));
    return muon ? size * shorter : size;
}

std::vector<UpdatePart> update_parts(const FlatNumbers& parameters, const std::vector<NamedParameter>& named,
                                     Optimiser optimiser) {
    std::vector<UpdatePart> parts;
    for (const NamedParameter& p : named) {
        const std::vector<std::size_t>& shape = p.parameter.shape();
        const bool matrix = shape.size() == 2;
        const bool learned_rows = p.name.ends_with("position_embeddings") || p.name.ends_with("leading_tokens");
        parts.push_back({.offset = parameters.offset_of(p.parameter),
                         .rows = shape[0],
                         .columns = matrix ? shape[1] : 1,
                         .muon = p.in_block_matrix && optimiser == Optimiser::muon,
                         .beside_muon = !p.in_block_matrix && optimiser == Optimiser::muon,
                         .decays = matrix && !learned_rows});
    }
    return parts;
}

std::vector<UpdatePart> update_parts(const FlatWeights& parameters, Optimiser optimiser) {
    return update_parts(parameters, parameters_of(parameters.weights()), optimiser);
}

void update(const UpdatePart& part, const UpdateStep& step, FlatNumbers& parameters, const FlatNumbers& gradients,
            OptimiserState& moments) {
    float* const w = parameters.values().data() + part.offset;
    const float* const g = gradients.values().data() + part.offset;
    float* const m = moments.first.values().data() + part.offset;
    if (part.muon)
        muon(part, step, w, g, m);
    else
        adamw(part, step, w, g, m, moments.second.values().data() + part.offset);
}

void orthogonalise(float* x, std::size_t rows, std::size_t columns) {
    constexpr float a = 3.4445F, b = -4.7750F, c = 2.0315F;
    constexpr int iterations = 5;
    const std::size_t count = rows * columns, n = std::min(rows, columns);
    const bool tall = rows > columns;
    const RowKernels& kernels = row_kernels();
    kernels.scale(x, x, count, 1 / (static_cast<float>(std::sqrt(kernels.squares(x, count))) + 1e-7F));

    Tensor2 gram = tensor2(n, n), polynomial = tensor2(n, n), before = tensor2(rows, columns);
    const MatrixView gram_view{gram.data(), n, n, n}, polynomial_view{polynomial.data(), n, n, n};
    const MatrixView before_view{before.data(), rows, columns, columns};
    for (int i = 0; i < iterations; ++i) {
        // X ← a X + (b G + c G²) X with G = X Xᵀ; for a tall X with G = Xᵀ X, multiplied from the right.
        std::copy_n(x, count, before.data());
        const Transpose left = tall ? Transpose::yes : Transpose::no, right = tall ? Transpose::no : Transpose::yes;
        multiply({.a = before_view, .b = before_view, .transpose_a = left, .transpose_b = right}, gram.data());
        kernels.scale(gram.data(), polynomial.data(), n * n, b);
        multiply({.a = gram_view, .b = gram_view, .alpha = c, .into = Product::Into::sum}, polynomial.data());
        const MatrixView first = tall ? before_view : polynomial_view, second = tall ? polynomial_view : before_view;
        kernels.scale(x, x, count, a);
        multiply({.a = first, .b = second, .into = Product::Into::sum}, x);
    }
}

}  // namespace vitrine
