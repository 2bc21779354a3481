#include "core/tensor/ops.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/base/team.h"
#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// Calls f(row) for every row, on as many threads as are worthwhile at `nanoseconds` per element.
template <class F>
void for_rows(std::size_t rows, std::size_t columns, double nanoseconds, F f) {
    parallel_for(rows, threads_for(static_cast<double>(rows * columns) * nanoseconds * 1e-3), f);
}

// Rough nanoseconds per element; they only decide the number of threads.
constexpr double copy_cost = 0.2, norm_cost = 0.3, exp_cost = 0.5, erf_cost = 0.8;

template <std::size_t n>
Tensor<n> softmax_last_axis(const Tensor<n>& scores) {
    Tensor<n> out = Tensor<n>::from_shape(scores.shape());
    const std::size_t columns = scores.shape()[n - 1];
    const std::size_t rows = columns == 0 ? 0 : scores.size() / columns;
    const auto softmax_row = row_kernels().softmax;
    for_rows(rows, columns, exp_cost,
             [&](std::size_t r) { softmax_row(scores.data() + r * columns, out.data() + r * columns, columns); });
    return out;
}

/// A tensor as a stack of matrices, one for each head of each sequence.
MatrixView stack_of(const Tensor3& x) { return {x.data(), x.shape()[1], x.shape()[2], x.shape()[2]}; }

}  // namespace

Tensor2 linear(const LinearWeights& weights, const Tensor2& x) {
    const std::size_t rows = x.shape()[0];
    const std::size_t outputs = weights.weight.shape()[0];
    assert(x.shape()[1] == weights.weight.shape()[1]);
    Tensor2 y = tensor2(rows, outputs);
    if (weights.packed) {
        weights.packed->apply(x.data(), rows, y.data());
        return y;
    }
    const std::size_t inputs = x.shape()[1];
    multiply({.a = {x.data(), rows, inputs, inputs},
              .b = {weights.weight.data(), outputs, inputs, inputs},
              .transpose_b = Transpose::yes,
              .bias = weights.bias.data(),
              .varied = weights.varied_rows},
             y.data());
    return y;
}

LayerNormTrace layer_norm(const LayerNormWeights& weights, const Tensor2& x, float epsilon) {
    const std::size_t rows = x.shape()[0], features = x.shape()[1];
    LayerNormTrace t{tensor1(rows), tensor1(rows), tensor2(rows, features)};
    const RowKernels& kernels = row_kernels();
    for_rows(rows, features, norm_cost, [&](std::size_t r) {
        const float* const a = x.data() + r * features;
        const RowMoments m = kernels.moments(a, features);
        t.mean(r) = m.mean;
        t.var(r) = m.variance;
        const float factor = 1.0F / std::sqrt(m.variance + epsilon);
        kernels.normalise({a, weights.gamma.data(), weights.beta.data(), m.mean, factor}, t.out.data() + r * features,
                          features);
    });
    return t;
}

LayerNormTrace row_statistics(const Tensor2& x) {
    const std::size_t rows = x.shape()[0];
    LayerNormTrace t{tensor1(rows), tensor1(rows), {}};
    for (std::size_t r = 0; r < rows; ++r) {
        const RowMoments m = row_kernels().moments(&x(r, 0), x.shape()[1]);
        t.mean(r) = m.mean;
        t.var(r) = m.variance;
    }
    return t;
}

Tensor3 softmax(const Tensor3& scores) { return softmax_last_axis(scores); }

Tensor2 softmax(const Tensor2& logits) { return softmax_last_axis(logits); }

Tensor2 activate(Activation activation, const Tensor2& x) {
    const std::size_t rows = x.shape()[0], columns = x.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    const auto activate_row = row_kernels().activate;
    for_rows(rows, columns, erf_cost, [&](std::size_t r) {
        activate_row(activation, x.data() + r * columns, out.data() + r * columns, columns);
    });
    return out;
}

Tensor2 activate_back(Activation activation, const Tensor2& x, const Tensor2& dy) {
    assert(x.shape() == dy.shape());
    const std::size_t rows = x.shape()[0], columns = x.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    const auto activate_row_back = row_kernels().activate_back;
    for_rows(rows, columns, erf_cost, [&](std::size_t r) {
        const std::size_t at = r * columns;
        activate_row_back(activation, x.data() + at, dy.data() + at, out.data() + at, columns);
    });
    return out;
}

Tensor3 softmax_back(const Tensor3& attention, const Tensor3& gradient) {
    assert(attention.shape() == gradient.shape());
    const std::size_t columns = attention.shape()[2], rows = attention.size() / columns;
    Tensor3 out = Tensor3::from_shape(attention.shape());
    const auto softmax_row_back = row_kernels().softmax_back;
    for_rows(rows, columns, copy_cost, [&](std::size_t r) {
        const std::size_t at = r * columns;
        softmax_row_back(attention.data() + at, gradient.data() + at, out.data() + at, columns);
    });
    return out;
}

float activate(Activation activation, float x) {
    float y = 0.0F;
    row_kernels().activate(activation, &x, &y, 1);
    return y;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

float activation_slope(Activation activation, float at) {
    const double x = static_cast<double>(at);
    switch (activation) {
        case Activation::gelu: {
            const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
            return static_cast<float>(normal_cdf(x) + x * density);
        }
        case Activation::gelu_tanh: {
            const double factor = std::sqrt(2 / std::numbers::pi), t = std::tanh(factor * (x + 0.044715 * x * x * x));
            return static_cast<float>((1 + t) / 2 + x / 2 * (1 - t * t) * factor * (1 + 3 * 0.044715 * x * x));
        }
        case Activation::quick_gelu: {
            const double s = 1 / (1 + std::exp(-1.702 * x));
            return static_cast<float>(s + 1.702 * x * s * (1 - s));
        }
        case Activation::relu: return at > 0.0F ? 1.0F : 0.0F;
        case Activation::elu: return at > 0.0F ? 1.0F : static_cast<float>(std::exp(x));
        case Activation::silu: {
            const double s = 1 / (1 + std::exp(-x));
            return static_cast<float>(s + x * s * (1 - s));
        }
    }
    return 0.0F;
}

namespace {

/// Calls f(packed row, sequence, token) for every token of packed sentences.
template <class F>
void for_packed_rows(Batch batch, F f) {
    std::size_t row = 0;
    for (std::size_t sequence = 0; sequence < batch.lengths.size(); ++sequence)
        for (std::size_t token = 0; token < static_cast<std::size_t>(batch.lengths[sequence]); ++token)
            f(row++, sequence, token);
}

/// Pads shorter sentences with zeros.
Tensor3 split_packed_heads(const Tensor2& x, Batch batch, std::size_t heads) {
    const auto n = static_cast<std::size_t>(batch.tokens);
    const std::size_t features = x.shape()[1], d = features / heads;
    assert(x.shape()[0] == batch.rows() && heads * d == features);
    Tensor3 out = tensor3(batch.lengths.size() * heads, n, d);
    for_packed_rows(batch, [&](std::size_t row, std::size_t sequence, std::size_t token) {
        for (std::size_t head = 0; head < heads; ++head)
            std::copy_n(x.data() + row * features + head * d, d,
                        out.data() + ((sequence * heads + head) * n + token) * d);
    });
    for (std::size_t matrix = 0; matrix < out.shape()[0]; ++matrix) {
        const auto length = static_cast<std::size_t>(batch.lengths[matrix / heads]);
        std::fill_n(out.data() + (matrix * n + length) * d, (n - length) * d, 0.0F);
    }
    return out;
}

Tensor2 merge_packed_heads(const Tensor3& heads, Batch batch) {
    const std::size_t h = heads.shape()[0] / batch.lengths.size(), n = heads.shape()[1], d = heads.shape()[2];
    assert(n == static_cast<std::size_t>(batch.tokens));
    Tensor2 out = tensor2(batch.rows(), h * d);
    for_packed_rows(batch, [&](std::size_t row, std::size_t sequence, std::size_t token) {
        for (std::size_t head = 0; head < h; ++head)
            std::copy_n(heads.data() + ((sequence * h + head) * n + token) * d, d, out.data() + (row * h + head) * d);
    });
    return out;
}

}  // namespace

Tensor3 split_heads(const Tensor2& x, Batch batch, int heads) {
    if (batch.packed()) return split_packed_heads(x, batch, static_cast<std::size_t>(heads));
    const auto h = static_cast<std::size_t>(heads), n = static_cast<std::size_t>(batch.tokens);
    const std::size_t rows = x.shape()[0], features = x.shape()[1], d = features / h;
    assert(rows == static_cast<std::size_t>(batch.sequences) * n && h * d == features);
    Tensor3 out = tensor3(static_cast<std::size_t>(batch.sequences) * h, n, d);
    for_rows(rows, features, copy_cost, [&](std::size_t r) {
        const std::size_t sequence = r / n, token = r % n;
        for (std::size_t head = 0; head < h; ++head)
            std::copy_n(x.data() + r * features + head * d, d, out.data() + ((sequence * h + head) * n + token) * d);
    });
    return out;
}

Tensor2 merge_heads(const Tensor3& heads, Batch batch) {
    if (batch.packed()) return merge_packed_heads(heads, batch);
    const auto n = static_cast<std::size_t>(batch.tokens), sequences = static_cast<std::size_t>(batch.sequences);
    const std::size_t h = heads.shape()[0] / sequences, d = heads.shape()[2];
    assert(heads.shape()[1] == n);
    Tensor2 out = tensor2(sequences * n, h * d);
    for_rows(sequences * n, h * d, copy_cost, [&](std::size_t r) {
        const std::size_t sequence = r / n, token = r % n;
        for (std::size_t head = 0; head < h; ++head)
            std::copy_n(heads.data() + ((sequence * h + head) * n + token) * d, d, out.data() + (r * h + head) * d);
    });
    return out;
}

Tensor3 attention_scores(const Tensor3& q, const Tensor3& k) {
    const std::size_t heads = q.shape()[0], d = q.shape()[2];
    assert(k.shape()[0] == heads && k.shape()[2] == d);
    Tensor3 scores = tensor3(heads, q.shape()[1], k.shape()[1]);
    multiply({.a = stack_of(q),
              .b = stack_of(k),
              .transpose_b = Transpose::yes,
              .alpha = 1.0F / std::sqrt(static_cast<float>(d)),
              .count = heads},
             scores.data());
    return scores;
}

Tensor3 weighted_values(const Tensor3& attention, const Tensor3& v) {
    const std::size_t heads = v.shape()[0], d = v.shape()[2];
    assert(attention.shape()[0] == heads && attention.shape()[2] == v.shape()[1]);
    Tensor3 out = tensor3(heads, attention.shape()[1], d);
    multiply({.a = stack_of(attention), .b = stack_of(v), .count = heads}, out.data());
    return out;
}

Tensor2 times(const Tensor2& a, const Tensor2& b) {
    assert(a.shape() == b.shape());
    const std::size_t rows = a.shape()[0], columns = a.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    for_rows(rows, columns, copy_cost, [&](std::size_t r) {
        const std::size_t at = r * columns;
        std::transform(a.data() + at, a.data() + at + columns, b.data() + at, out.data() + at, std::multiplies<>());
    });
    return out;
}

Tensor2 add(const Tensor2& a, const Tensor2& b) {
    assert(a.shape() == b.shape());
    const std::size_t rows = a.shape()[0], columns = a.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    const auto add_rows = row_kernels().add;
    for_rows(rows, columns, copy_cost, [&](std::size_t r) {
        add_rows(a.data() + r * columns, b.data() + r * columns, out.data() + r * columns, columns);
    });
    return out;
}

}  // namespace vitrine
