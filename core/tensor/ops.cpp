#include "core/tensor/ops.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <xsimd/xsimd.hpp>

#include "core/base/team.h"
#include "core/tensor/matmul.h"

namespace vitrine {

namespace {

using Lanes = xsimd::batch<float>;
constexpr std::size_t lane_count = Lanes::size;

/// out[i] = f(in[i]) for a row that is not its own result, `f` on whole vectors. The last vector overlaps the one
/// before it; a row shorter than a vector is padded.
template <class F>
void map_row(const float* in, float* out, std::size_t count, F f) {
    assert(in != out);
    std::size_t i = 0;
    for (; i + lane_count <= count; i += lane_count) f(Lanes::load_unaligned(in + i)).store_unaligned(out + i);
    if (i == count) return;
    if (count > lane_count) {
        i = count - lane_count;
        f(Lanes::load_unaligned(in + i)).store_unaligned(out + i);
        return;
    }
    alignas(64) float rest[lane_count] = {};
    std::copy(in + i, in + count, rest);
    f(Lanes::load_aligned(rest)).store_aligned(rest);
    std::copy_n(rest, count - i, out + i);
}

/// f(row) for every row, on as many threads as `nanoseconds` of work for an element are worth.
template <class F>
void for_rows(std::size_t rows, std::size_t columns, double nanoseconds, F f) {
    parallel_for(rows, threads_for(static_cast<double>(rows * columns) * nanoseconds * 1e-3), f);
}

// Nanoseconds an element, roughly: they decide only how many threads are used.
constexpr double copy_cost = 0.2, norm_cost = 0.3, exp_cost = 0.5, erf_cost = 0.8;

void softmax_row(const float* in, float* out, std::size_t count) {
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, in[i]);

    const Lanes shift(largest);
    map_row(in, out, count, [&](Lanes s) { return xsimd::exp(s - shift); });

    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += out[i];
    const float factor = 1.0F / sum;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) out[i] *= factor;
}

struct RowMoments {
    float mean, variance;
};

RowMoments moments(const float* row, std::size_t count) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += row[i];
    const float mean = sum / static_cast<float>(count);

    float squares = 0.0F;
#pragma omp simd reduction(+ : squares)
    for (std::size_t i = 0; i < count; ++i) squares += (row[i] - mean) * (row[i] - mean);
    return {mean, squares / static_cast<float>(count)};
}

constexpr float sqrt_half = 0.70710678F;
constexpr float normal_density_at_0 = 0.39894228F;

Lanes gelu(Lanes x) { return Lanes(0.5F) * x * (Lanes(1.0F) + xsimd::erf(x * Lanes(sqrt_half))); }

Lanes gelu_tanh(Lanes x) {
    constexpr float sqrt_2_over_pi = 0.79788456F;
    const Lanes inner = Lanes(sqrt_2_over_pi) * (x + Lanes(0.044715F) * x * x * x);
    return Lanes(0.5F) * x * (Lanes(1.0F) + xsimd::tanh(inner));
}

Lanes quick_gelu(Lanes x) { return x / (Lanes(1.0F) + xsimd::exp(Lanes(-1.702F) * x)); }

Lanes relu(Lanes x) { return xsimd::max(x, Lanes(0.0F)); }

Lanes elu(Lanes x) { return xsimd::select(x > Lanes(0.0F), x, xsimd::expm1(xsimd::min(x, Lanes(0.0F)))); }

/// Φ(x) + x φ(x)
Lanes gelu_slope(Lanes x) {
    const Lanes cdf = Lanes(0.5F) * (Lanes(1.0F) + xsimd::erf(x * Lanes(sqrt_half)));
    return cdf + x * Lanes(normal_density_at_0) * xsimd::exp(Lanes(-0.5F) * x * x);
}

Lanes relu_slope(Lanes x) { return xsimd::select(x > Lanes(0.0F), Lanes(1.0F), Lanes(0.0F)); }

Lanes elu_slope(Lanes x) { return xsimd::select(x > Lanes(0.0F), Lanes(1.0F), xsimd::exp(xsimd::min(x, Lanes(0.0F)))); }

/// The derivatives along a row.
void slope_row(Activation activation, const float* in, float* out, std::size_t count) {
    switch (activation) {
        case Activation::gelu: return map_row(in, out, count, gelu_slope);
        case Activation::relu: return map_row(in, out, count, relu_slope);
        case Activation::elu: return map_row(in, out, count, elu_slope);
        default: std::transform(in, in + count, out, [&](float x) { return activation_slope(activation, x); });
    }
}

void activate_row(Activation activation, const float* in, float* out, std::size_t count) {
    switch (activation) {
        case Activation::gelu: return map_row(in, out, count, gelu);
        case Activation::gelu_tanh: return map_row(in, out, count, gelu_tanh);
        case Activation::quick_gelu: return map_row(in, out, count, quick_gelu);
        case Activation::relu: return map_row(in, out, count, relu);
        case Activation::elu: return map_row(in, out, count, elu);
    }
}

template <std::size_t n>
Tensor<n> softmax_last_axis(const Tensor<n>& scores) {
    Tensor<n> out = Tensor<n>::from_shape(scores.shape());
    const std::size_t columns = scores.shape()[n - 1];
    const std::size_t rows = columns == 0 ? 0 : scores.size() / columns;
    for_rows(rows, columns, exp_cost,
             [&](std::size_t r) { softmax_row(scores.data() + r * columns, out.data() + r * columns, columns); });
    return out;
}

/// A tensor's matrices, one for each head of each image.
MatrixView matrices(const Tensor3& x) { return {x.data(), x.shape()[1], x.shape()[2], x.shape()[2]}; }

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
              .bias = weights.bias.data()},
             y.data());
    return y;
}

LayerNormTrace layer_norm(const LayerNormWeights& weights, const Tensor2& x, float epsilon) {
    const std::size_t rows = x.shape()[0], features = x.shape()[1];
    LayerNormTrace t{tensor1(rows), tensor1(rows), tensor2(rows, features)};
    const float* const gamma = weights.gamma.data();
    const float* const beta = weights.beta.data();
    for_rows(rows, features, norm_cost, [&](std::size_t r) {
        const float* const a = x.data() + r * features;
        float* const out = t.out.data() + r * features;
        const auto [mean, variance] = moments(a, features);
        const float factor = 1.0F / std::sqrt(variance + epsilon);
        t.mean(r) = mean;
        t.var(r) = variance;
#pragma omp simd
        for (std::size_t i = 0; i < features; ++i) out[i] = gamma[i] * ((a[i] - mean) * factor) + beta[i];
    });
    return t;
}

LayerNormTrace row_statistics(const Tensor2& x) {
    const std::size_t rows = x.shape()[0];
    LayerNormTrace t{tensor1(rows), tensor1(rows), {}};
    for (std::size_t r = 0; r < rows; ++r) {
        const auto [mean, variance] = moments(&x(r, 0), x.shape()[1]);
        t.mean(r) = mean;
        t.var(r) = variance;
    }
    return t;
}

Tensor3 softmax(const Tensor3& scores) { return softmax_last_axis(scores); }

Tensor2 softmax(const Tensor2& logits) { return softmax_last_axis(logits); }

Tensor2 activate(Activation activation, const Tensor2& x) {
    const std::size_t rows = x.shape()[0], columns = x.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    for_rows(rows, columns, erf_cost, [&](std::size_t r) {
        activate_row(activation, x.data() + r * columns, out.data() + r * columns, columns);
    });
    return out;
}

Tensor2 activate_back(Activation activation, const Tensor2& x, const Tensor2& dy) {
    assert(x.shape() == dy.shape());
    const std::size_t rows = x.shape()[0], columns = x.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    for_rows(rows, columns, erf_cost, [&](std::size_t r) {
        float* const dx = out.data() + r * columns;
        const float* const d = dy.data() + r * columns;
        slope_row(activation, x.data() + r * columns, dx, columns);
#pragma omp simd
        for (std::size_t i = 0; i < columns; ++i) dx[i] *= d[i];
    });
    return out;
}

Tensor3 softmax_back(const Tensor3& attention, const Tensor3& gradient) {
    assert(attention.shape() == gradient.shape());
    const std::size_t columns = attention.shape()[2], rows = attention.size() / columns;
    Tensor3 out = Tensor3::from_shape(attention.shape());
    for_rows(rows, columns, copy_cost, [&](std::size_t r) {
        const float* const a = attention.data() + r * columns;
        const float* const d = gradient.data() + r * columns;
        float* const s = out.data() + r * columns;
        float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
        for (std::size_t i = 0; i < columns; ++i) sum += a[i] * d[i];
#pragma omp simd
        for (std::size_t i = 0; i < columns; ++i) s[i] = a[i] * (d[i] - sum);
    });
    return out;
}

float activate(Activation activation, float x) {
    float y = 0.0F;
    activate_row(activation, &x, &y, 1);
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
    }
    return 0.0F;
}

Tensor3 split_heads(const Tensor2& x, Batch batch, int heads) {
    const auto h = static_cast<std::size_t>(heads), n = static_cast<std::size_t>(batch.tokens);
    const std::size_t rows = x.shape()[0], features = x.shape()[1], d = features / h;
    assert(rows == static_cast<std::size_t>(batch.sequences) * n && h * d == features);
    Tensor3 out = tensor3(static_cast<std::size_t>(batch.sequences) * h, n, d);
    for_rows(rows, features, copy_cost, [&](std::size_t r) {
        const std::size_t image = r / n, token = r % n;
        for (std::size_t head = 0; head < h; ++head)
            std::copy_n(x.data() + r * features + head * d, d, out.data() + ((image * h + head) * n + token) * d);
    });
    return out;
}

Tensor2 merge_heads(const Tensor3& heads, Batch batch) {
    const auto n = static_cast<std::size_t>(batch.tokens), images = static_cast<std::size_t>(batch.sequences);
    const std::size_t h = heads.shape()[0] / images, d = heads.shape()[2];
    assert(heads.shape()[1] == n);
    Tensor2 out = tensor2(images * n, h * d);
    for_rows(images * n, h * d, copy_cost, [&](std::size_t r) {
        const std::size_t image = r / n, token = r % n;
        for (std::size_t head = 0; head < h; ++head)
            std::copy_n(heads.data() + ((image * h + head) * n + token) * d, d, out.data() + (r * h + head) * d);
    });
    return out;
}

Tensor3 attention_scores(const Tensor3& q, const Tensor3& k) {
    const std::size_t heads = q.shape()[0], d = q.shape()[2];
    assert(k.shape()[0] == heads && k.shape()[2] == d);
    Tensor3 scores = tensor3(heads, q.shape()[1], k.shape()[1]);
    multiply({.a = matrices(q),
              .b = matrices(k),
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
    multiply({.a = matrices(attention), .b = matrices(v), .count = heads}, out.data());
    return out;
}

Tensor2 add(const Tensor2& a, const Tensor2& b) {
    assert(a.shape() == b.shape());
    const std::size_t rows = a.shape()[0], columns = a.shape()[1];
    Tensor2 out = tensor2(rows, columns);
    for_rows(rows, columns, copy_cost, [&](std::size_t r) {
        const float* const x = a.data() + r * columns;
        const float* const y = b.data() + r * columns;
        float* const z = out.data() + r * columns;
#pragma omp simd
        for (std::size_t i = 0; i < columns; ++i) z[i] = x[i] + y[i];
    });
    return out;
}

Tensor2 patches_as_rows(const Tensor3& image, int channels, int patch_size) {
    const auto c_count = static_cast<std::size_t>(channels), p = static_cast<std::size_t>(patch_size);
    const std::size_t images = image.shape()[0] / c_count, height = image.shape()[1], width = image.shape()[2];
    const std::size_t grid_height = height / p, grid_width = width / p, features = c_count * p * p;
    const std::size_t patches = grid_height * grid_width;
    Tensor2 rows = tensor2(images * patches, features);
    for_rows(images * patches, features, copy_cost, [&](std::size_t r) {
        const std::size_t b = r / patches, top = r % patches / grid_width * p, left = r % grid_width * p;
        float* out = rows.data() + r * features;
        for (std::size_t c = 0; c < c_count; ++c)
            for (std::size_t y = 0; y < p; ++y, out += p) std::copy_n(&image(b * c_count + c, top + y, left), p, out);
    });
    return rows;
}

}  // namespace vitrine
