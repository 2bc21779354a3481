// Compiled once for every vector unit, see cmake/row_kernels.cmake. All symbols must be local to this object: the
// linker keeps one copy of an inline function, and a copy with wide vectors would crash on a machine without them. So
// everything is flattened into the kernels, and a test looks for shared symbols.

#include <cmath>
#include <limits>
#include <xsimd/xsimd.hpp>

#include "core/tensor/rows.h"

namespace vitrine {

extern const PanelKernels VITRINE_PANELS;
extern const RowKernels VITRINE_ROWS;

namespace {

using Lanes = xsimd::batch<float>;
constexpr std::size_t lane_count = Lanes::size;

/// out[i] = f(in[i]), with `f` on whole vectors. The last vector overlaps the one before; a row shorter than a vector
/// is padded.
template <class F>
void map_row(const float* in, float* out, std::size_t count, F f) {
    std::size_t i = 0;
    for (; i + lane_count <= count; i += lane_count) f(Lanes::load_unaligned(in + i)).store_unaligned(out + i);
    if (i == count) return;
    if (count > lane_count) {
        i = count - lane_count;
        f(Lanes::load_unaligned(in + i)).store_unaligned(out + i);
        return;
    }
    alignas(64) float rest[lane_count] = {};
    for (std::size_t k = 0; k < count; ++k) rest[k] = in[k];
    f(Lanes::load_aligned(rest)).store_aligned(rest);
    for (std::size_t k = 0; k < count; ++k) out[k] = rest[k];
}

/// The same for two rows.
template <class F>
void map_rows(const float* a, const float* b, float* out, std::size_t count, F f) {
    std::size_t i = 0;
    for (; i + lane_count <= count; i += lane_count)
        f(Lanes::load_unaligned(a + i), Lanes::load_unaligned(b + i)).store_unaligned(out + i);
    if (i == count) return;
    if (count > lane_count) {
        i = count - lane_count;
        f(Lanes::load_unaligned(a + i), Lanes::load_unaligned(b + i)).store_unaligned(out + i);
        return;
    }
    alignas(64) float rest_a[lane_count] = {}, rest_b[lane_count] = {};
    for (std::size_t k = 0; k < count; ++k) {
        rest_a[k] = a[k];
        rest_b[k] = b[k];
    }
    f(Lanes::load_aligned(rest_a), Lanes::load_aligned(rest_b)).store_aligned(rest_a);
    for (std::size_t k = 0; k < count; ++k) out[k] = rest_a[k];
}

// ---- activations ------------------------------------------------------------------------------------------------

constexpr float sqrt_half = 0.70710678F;
constexpr float normal_density_at_0 = 0.39894228F;
constexpr float sqrt_2_over_pi = 0.79788456F;
constexpr float cubic = 0.044715F;
constexpr float quick = 1.702F;

Lanes normal_cdf(Lanes x) { return Lanes(0.5F) * (Lanes(1.0F) + xsimd::erf(x * Lanes(sqrt_half))); }

Lanes gelu(Lanes x) { return x * normal_cdf(x); }

/// Φ(x) + x φ(x)
Lanes gelu_slope(Lanes x) { return normal_cdf(x) + x * Lanes(normal_density_at_0) * xsimd::exp(Lanes(-0.5F) * x * x); }

Lanes gelu_tanh(Lanes x) {
    const Lanes inner = Lanes(sqrt_2_over_pi) * (x + Lanes(cubic) * x * x * x);
    return Lanes(0.5F) * x * (Lanes(1.0F) + xsimd::tanh(inner));
}

Lanes gelu_tanh_slope(Lanes x) {
    const Lanes one(1.0F), half(0.5F), squares = x * x;
    const Lanes t = xsimd::tanh(Lanes(sqrt_2_over_pi) * (x + Lanes(cubic) * squares * x));
    const Lanes inner_slope = Lanes(sqrt_2_over_pi) * (one + Lanes(3 * cubic) * squares);
    return half * (one + t) + half * x * (one - t) * (one + t) * inner_slope;
}

Lanes quick_gelu(Lanes x) { return x / (Lanes(1.0F) + xsimd::exp(Lanes(-quick) * x)); }

Lanes quick_gelu_slope(Lanes x) {
    const Lanes one(1.0F), s = one / (one + xsimd::exp(Lanes(-quick) * x));
    return s + Lanes(quick) * x * s * (one - s);
}

Lanes silu(Lanes x) { return x / (Lanes(1.0F) + xsimd::exp(-x)); }

Lanes silu_slope(Lanes x) {
    const Lanes one(1.0F), s = one / (one + xsimd::exp(-x));
    return s + x * s * (one - s);
}

Lanes relu(Lanes x) { return xsimd::max(x, Lanes(0.0F)); }

Lanes relu_slope(Lanes x) { return xsimd::select(x > Lanes(0.0F), Lanes(1.0F), Lanes(0.0F)); }

Lanes elu(Lanes x) { return xsimd::select(x > Lanes(0.0F), x, xsimd::expm1(xsimd::min(x, Lanes(0.0F)))); }

Lanes elu_slope(Lanes x) { return xsimd::select(x > Lanes(0.0F), Lanes(1.0F), xsimd::exp(xsimd::min(x, Lanes(0.0F)))); }

[[gnu::flatten]] void activate(Activation activation, const float* in, float* out, std::size_t count) {
    switch (activation) {
        case Activation::gelu: return map_row(in, out, count, [](Lanes x) { return gelu(x); });
        case Activation::gelu_tanh: return map_row(in, out, count, [](Lanes x) { return gelu_tanh(x); });
        case Activation::quick_gelu: return map_row(in, out, count, [](Lanes x) { return quick_gelu(x); });
        case Activation::relu: return map_row(in, out, count, [](Lanes x) { return relu(x); });
        case Activation::elu: return map_row(in, out, count, [](Lanes x) { return elu(x); });
        case Activation::silu: return map_row(in, out, count, [](Lanes x) { return silu(x); });
    }
}

[[gnu::flatten]] void activate_back(Activation activation, const float* in, const float* dy, float* out,
                                    std::size_t count) {
    switch (activation) {
        case Activation::gelu: return map_rows(in, dy, out, count, [](Lanes x, Lanes d) { return gelu_slope(x) * d; });
        case Activation::gelu_tanh:
            return map_rows(in, dy, out, count, [](Lanes x, Lanes d) { return gelu_tanh_slope(x) * d; });
        case Activation::quick_gelu:
            return map_rows(in, dy, out, count, [](Lanes x, Lanes d) { return quick_gelu_slope(x) * d; });
        case Activation::relu: return map_rows(in, dy, out, count, [](Lanes x, Lanes d) { return relu_slope(x) * d; });
        case Activation::elu: return map_rows(in, dy, out, count, [](Lanes x, Lanes d) { return elu_slope(x) * d; });
        case Activation::silu: return map_rows(in, dy, out, count, [](Lanes x, Lanes d) { return silu_slope(x) * d; });
    }
}

// ---- softmax ----------------------------------------------------------------------------------------------------

[[gnu::flatten]] float largest_of(const float* in, std::size_t count) {
    float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
    for (std::size_t i = 0; i < count; ++i) largest = largest < in[i] ? in[i] : largest;
    return largest;
}

[[gnu::flatten]] void softmax(const float* in, float* out, std::size_t count) {
    const Lanes shift(largest_of(in, count));
    map_row(in, out, count, [&](Lanes s) { return xsimd::exp(s - shift); });

    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += out[i];
    const float factor = 1.0F / sum;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) out[i] *= factor;
}

float dot(const float* a, const float* b, std::size_t count) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

[[gnu::flatten]] void softmax_back(const float* a, const float* d, float* out, std::size_t count) {
    const float sum = dot(a, d, count);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) out[i] = a[i] * (d[i] - sum);
}

// ---- layer norm -------------------------------------------------------------------------------------------------

RowMoments moments(const float* in, std::size_t count) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += in[i];
    const float mean = sum / static_cast<float>(count);

    float squares = 0.0F;
#pragma omp simd reduction(+ : squares)
    for (std::size_t i = 0; i < count; ++i) squares += (in[i] - mean) * (in[i] - mean);
    return {mean, squares / static_cast<float>(count)};
}

void normalise(const NormRow& row, float* out, std::size_t count) {
    const float *const x = row.x, *const gamma = row.gamma, *const beta = row.beta;
    const float mean = row.mean, factor = row.factor;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) out[i] = gamma[i] * ((x[i] - mean) * factor) + beta[i];
}

void normalise_back(const NormBackRow& row, float* out, std::size_t count) {
    const float* const x = row.x;
    const float* const d = row.dy;
    const float* const gamma = row.gamma;
    float* const gamma_gradient = row.gamma_gradient;
    float* const beta_gradient = row.beta_gradient;
    const float mean = row.mean, factor = row.factor;
    float sum = 0.0F, along = 0.0F;
#pragma omp simd reduction(+ : sum, along)
    for (std::size_t i = 0; i < count; ++i) {
        const float normal = (x[i] - mean) * factor, g = d[i] * gamma[i];
        sum += g;
        along += g * normal;
        gamma_gradient[i] += d[i] * normal;
        beta_gradient[i] += d[i];
    }
    sum /= static_cast<float>(count);
    along /= static_cast<float>(count);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const float normal = (x[i] - mean) * factor;
        out[i] = factor * (d[i] * gamma[i] - sum - normal * along);
    }
}

// ---- sums and products --------------------------------------------------------------------------------------------

void add(const float* a, const float* b, float* out, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) out[i] = a[i] + b[i];
}

void add_to(float* sum, const float* in, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) sum[i] += in[i];
}

void scale(const float* in, float* out, std::size_t count, float factor) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) out[i] = factor * in[i];
}

double squares(const float* in, std::size_t count) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(in[i]) * static_cast<double>(in[i]);
    return sum;
}

/// Skips NaN and ±∞: x − x is 0 for finite x only.
float largest_magnitude(const float* in, std::size_t count) {
    float most = 0.0F;
#pragma omp simd reduction(max : most)
    for (std::size_t i = 0; i < count; ++i) {
        const float magnitude = __builtin_fabsf(in[i]);
        most = magnitude - magnitude == 0.0F && magnitude > most ? magnitude : most;
    }
    return most;
}

// ---- entropy ------------------------------------------------------------------------------------------------------

/// p ln p, and 0 for 0 (and for slightly negative rounding errors).
Lanes entropy_term(Lanes p) {
    const Lanes least(1e-37F);
    return xsimd::select(p > least, p * xsimd::log(xsimd::max(p, least)), Lanes(0.0F));
}

/// Σ p ln p over the `count` values from `lanes` and `one`, summed in short runs to keep float's precision.
template <class LanesAt, class OneAt>
double sum_of_terms(std::size_t count, LanesAt lanes, OneAt one) {
    constexpr std::size_t run = 256;
    double sum = 0.0;
    for (std::size_t i = 0; i < count;) {
        Lanes part(0.0F);
        const std::size_t end = count < i + run ? count : i + run;
        for (; i + lane_count <= end; i += lane_count) part += entropy_term(lanes(i));
        alignas(64) float parts[lane_count] = {};
        if (i < end) {
            for (std::size_t k = 0; i < end; ++i, ++k) parts[k] = one(i);
            part += entropy_term(Lanes::load_aligned(parts));
        }
        part.store_aligned(parts);
        for (std::size_t k = 0; k < lane_count; ++k) sum += static_cast<double>(parts[k]);
    }
    return sum;
}

[[gnu::flatten]] double entropy_terms(const float* p, std::size_t count) {
    return sum_of_terms(
        count, [&](std::size_t i) { return Lanes::load_unaligned(p + i); }, [&](std::size_t i) { return p[i]; });
}

[[gnu::flatten]] double entropy_terms_of_mean(const float* a, const float* b, std::size_t count) {
    const Lanes half(0.5F);
    return sum_of_terms(
        count, [&](std::size_t i) { return half * (Lanes::load_unaligned(a + i) + Lanes::load_unaligned(b + i)); },
        [&](std::size_t i) { return 0.5F * (a[i] + b[i]); });
}

// ---- training -----------------------------------------------------------------------------------------------------

void drop(const DropRule& rule, float* data, std::size_t count) {
    const std::uint32_t low = rule.low, high = rule.high, limit = rule.limit;
    const float factor = rule.factor;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t h = (static_cast<std::uint32_t>(i) ^ low) * 0x85EBCA6BU + high;  // MurmurHash3's finaliser
        h = (h ^ (h >> 13)) * 0xC2B2AE35U;
        h = (h ^ (h >> 16)) * 0x85EBCA6BU;
        h ^= h >> 13;
        data[i] = h < limit ? 0.0F : data[i] * factor;
    }
}

/// Packs one vector's width of B's columns from `first`, row after row; zeros beyond the last column.
void pack(const SmallProduct& p, std::size_t first, std::size_t width, std::size_t row, std::size_t rows, float* out) {
    for (std::size_t k = 0; k < rows; ++k, out += lane_count) {
        const float* const b = p.b + (row + k) * p.b_row + first * p.b_column;
        for (std::size_t j = 0; j < width; ++j) out[j] = b[j * p.b_column];
        for (std::size_t j = width; j < lane_count; ++j) out[j] = 0.0F;
    }
}

/// Adds A · (`inner` rows of B, `distance` apart) to the sums of `rows` rows of C.
template <std::size_t rows>
void accumulate_rows(const SmallProduct& p, const float* a, const float* b, std::size_t distance, std::size_t inner,
                     Lanes* sums) {
    for (std::size_t k = 0; k < inner; ++k) {
        const Lanes column = Lanes::load_unaligned(b + k * distance);
        for (std::size_t i = 0; i < rows; ++i)
            sums[i] = xsimd::fma(Lanes(a[i * p.a_row + k * p.a_column]), column, sums[i]);
    }
}

void store_columns(Lanes sum, float alpha, float* c, std::size_t width) {
    sum *= Lanes(alpha);
    if (width == lane_count) return sum.store_unaligned(c);
    alignas(64) float rest[lane_count];
    sum.store_aligned(rest);
    for (std::size_t j = 0; j < width; ++j) c[j] = rest[j];
}

[[gnu::flatten]] void multiply(const SmallProduct& p) {
    constexpr std::size_t together = 4, deepest = 64;
    alignas(64) float packed[deepest * lane_count];
    for (std::size_t first = 0; first < p.columns; first += lane_count) {
        const std::size_t width = p.columns - first < lane_count ? p.columns - first : lane_count;
        const bool in_place = p.b_column == 1 && width == lane_count;
        const bool packed_once = !in_place && p.inner <= deepest;
        if (packed_once) pack(p, first, width, 0, p.inner, packed);
        for (std::size_t row = 0; row < p.rows; row += together) {
            const std::size_t rows = p.rows - row < together ? p.rows - row : together;
            Lanes sums[together] = {Lanes(0.0F), Lanes(0.0F), Lanes(0.0F), Lanes(0.0F)};
            const auto accumulate = [&](const float* b, std::size_t distance, std::size_t from, std::size_t inner) {
                const float* const a = p.a + row * p.a_row + from * p.a_column;
                if (rows == together) return accumulate_rows<together>(p, a, b, distance, inner, sums);
                for (std::size_t i = 0; i < rows; ++i)
                    accumulate_rows<1>(p, a + i * p.a_row, b, distance, inner, sums + i);
            };
            if (in_place) accumulate(p.b + first, p.b_row, 0, p.inner);
            if (packed_once) accumulate(packed, lane_count, 0, p.inner);
            if (!in_place && !packed_once)
                for (std::size_t from = 0; from < p.inner; from += deepest) {
                    const std::size_t inner = p.inner - from < deepest ? p.inner - from : deepest;
                    pack(p, first, width, from, inner, packed);
                    accumulate(packed, lane_count, from, inner);
                }
            for (std::size_t i = 0; i < rows; ++i)
                store_columns(sums[i], p.alpha, p.c + (row + i) * p.c_row + first, width);
        }
    }
}

// ---- updates ------------------------------------------------------------------------------------------------------

void adamw(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t count) {
    const float beta1 = step.beta1, beta2 = step.beta2, epsilon = step.epsilon, root = step.root;
    const float gradient_scale = step.gradient_scale, decay = step.decay, length = step.length;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const float g = gradient[i] * gradient_scale;
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        w[i] -= decay * w[i] + length * m[i] / (__builtin_sqrtf(v[i]) * root + epsilon);
    }
}

void momentum(float mu, const float* gradient, float* m, float* out, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        m[i] = mu * m[i] + (1 - mu) * gradient[i];
        out[i] = mu * m[i] + (1 - mu) * gradient[i];
    }
}

void descend(float decay, float length, const float* d, float* w, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) w[i] -= decay * w[i] + length * d[i];
}

}  // namespace

const RowKernels VITRINE_ROWS = {.name = VITRINE_ROWS_NAME,
                                 .level = VITRINE_ROWS_LEVEL,
                                 .softmax = softmax,
                                 .softmax_back = softmax_back,
                                 .moments = moments,
                                 .normalise = normalise,
                                 .normalise_back = normalise_back,
                                 .activate = activate,
                                 .activate_back = activate_back,
                                 .add = add,
                                 .add_to = add_to,
                                 .scale = scale,
                                 .dot = dot,
                                 .squares = squares,
                                 .largest_magnitude = largest_magnitude,
                                 .entropy_terms = entropy_terms,
                                 .entropy_terms_of_mean = entropy_terms_of_mean,
                                 .multiply = multiply,
                                 .panels = &VITRINE_PANELS,
                                 .drop = drop,
                                 .adamw = adamw,
                                 .momentum = momentum,
                                 .descend = descend};

}  // namespace vitrine
