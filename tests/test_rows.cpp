#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/tensor/ops.h"
#include "core/tensor/rows.h"

namespace vitrine {

#ifdef __x86_64__
extern const RowKernels rows_v2, rows_v3, rows_v4;
#endif

namespace {

constexpr float canary = 1234.5F;

/// A row that ends where memory ends: one number read or written behind it ends the test. The number before it is a
/// canary. Its address is as unaligned as its length is odd.
class EdgeRow {
public:
    explicit EdgeRow(std::size_t count) : count_(count) {
        memory_ = mmap(nullptr, room_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(static_cast<char*>(memory_) + room_, page_, PROT_NONE);
        data_ = static_cast<float*>(memory_) + room_ / sizeof(float) - count;
        data_[-1] = canary;
    }
    EdgeRow(std::size_t count, const std::function<double(std::size_t)>& of) : EdgeRow(count) {
        for (std::size_t i = 0; i < count; ++i) data_[i] = static_cast<float>(of(i));
    }
    ~EdgeRow() {
        EXPECT_EQ(data_[-1], canary) << "a row of " << count_ << " numbers was written before its beginning";
        munmap(memory_, room_ + page_);
    }
    EdgeRow(const EdgeRow&) = delete;
    EdgeRow& operator=(const EdgeRow&) = delete;

    operator float*() { return data_; }
    operator const float*() const { return data_; }
    double operator[](std::size_t i) const { return static_cast<double>(data_[i]); }
    float* data() { return data_; }

private:
    std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), count_;
    std::size_t room_ = (count_ * sizeof(float) / page_ + 1) * page_;
    void* memory_;
    float* data_;
};

double slow_wave(std::size_t i) { return 2.5 * std::sin(0.71 * static_cast<double>(i)) + 0.25; }
double other_wave(std::size_t i) { return 1.5 * std::cos(1.37 * static_cast<double>(i)) - 0.125; }

/// The variants that this machine can run, the chosen one first.
std::vector<const RowKernels*> kernels_here() {
    std::vector<const RowKernels*> list = {&row_kernels()};
#ifdef __x86_64__
    for (const RowKernels* const one : {&rows_v2, &rows_v3, &rows_v4})
        if (runs_here(*one) && one != list[0]) list.push_back(one);
#endif
    return list;
}

/// Every variant with every length from 1 to 100 and some of real rows.
void for_all(const std::function<void(const RowKernels&, std::size_t)>& check) {
    for (const RowKernels* const variant : kernels_here()) {
        SCOPED_TRACE(variant->name);
        for (std::size_t count = 1; count <= 100 && !testing::Test::HasFailure(); ++count) check(*variant, count);
        for (const std::size_t count : {197, 768, 1000}) check(*variant, static_cast<std::size_t>(count));
    }
}

void expect_near(const EdgeRow& got, std::size_t count, const std::function<double(std::size_t)>& want,
                 double tolerance) {
    for (std::size_t i = 0; i < count; ++i)
        ASSERT_NEAR(got[i], want(i), tolerance * (1 + std::abs(want(i)))) << "number " << i << " of " << count;
}

TEST(Rows, TheVariantThatRunsIsNamedAndCanRun) {
    EXPECT_TRUE(runs_here(row_kernels()));
    EXPECT_STREQ(vector_variant(), row_kernels().name);
    EXPECT_LE(row_kernels().level, vector_limit());
    for (const RowKernels* const variant : kernels_here())
        EXPECT_TRUE(variant->level <= row_kernels().level || variant->level > vector_limit()) << variant->name;
}

TEST(Rows, SoftmaxIsExpOfTheDifferenceFromTheLargestOverTheSum) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        const EdgeRow in(count, [](std::size_t i) { return 8 * slow_wave(i); });
        EdgeRow out(count);
        kernels.softmax(in, out, count);
        double largest = in[0], sum = 0;
        for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, in[i]);
        for (std::size_t i = 0; i < count; ++i) sum += std::exp(in[i] - largest);
        expect_near(
            out, count, [&](std::size_t i) { return std::exp(in[i] - largest) / sum; }, 1e-6);
    });
}

TEST(Rows, SoftmaxGivesBackWhatItsJacobianSays) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        const EdgeRow a(count, [&](std::size_t i) { return std::abs(slow_wave(i)) / static_cast<double>(count); });
        const EdgeRow d(count, other_wave);
        EdgeRow out(count);
        kernels.softmax_back(a, d, out, count);
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += a[i] * d[i];
        expect_near(
            out, count, [&](std::size_t i) { return a[i] * (d[i] - sum); }, 1e-6);
    });
}

TEST(Rows, MomentsAreTheMeanAndThePopulationVariance) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        const EdgeRow in(count, slow_wave);
        const RowMoments m = kernels.moments(in, count);
        double mean = 0, variance = 0;
        for (std::size_t i = 0; i < count; ++i) mean += in[i] / static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i)
            variance += (in[i] - mean) * (in[i] - mean) / static_cast<double>(count);
        EXPECT_NEAR(m.mean, mean, 2e-6) << count;
        EXPECT_NEAR(m.variance, variance, 2e-5) << count;
    });
}

TEST(Rows, NormalisingAndItsWayBackFollowTheirFormulas) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        const EdgeRow x(count, slow_wave), gamma(count, other_wave),
            beta(count, [](std::size_t i) { return slow_wave(i + 7); });
        const EdgeRow dy(count, [](std::size_t i) { return other_wave(i + 3); });
        const float mean = 0.375F, factor = 0.75F;
        EdgeRow out(count), gamma_gradient(count, slow_wave), beta_gradient(count, slow_wave);
        kernels.normalise({x, gamma, beta, mean, factor}, out, count);
        const auto normal = [&](std::size_t i) { return (x[i] - 0.375) * 0.75; };
        expect_near(
            out, count, [&](std::size_t i) { return gamma[i] * normal(i) + beta[i]; }, 1e-6);

        kernels.normalise_back({x, dy, gamma, gamma_gradient, beta_gradient, mean, factor}, out, count);
        double sum = 0, along = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += dy[i] * gamma[i] / static_cast<double>(count);
            along += dy[i] * gamma[i] * normal(i) / static_cast<double>(count);
        }
        expect_near(
            out, count, [&](std::size_t i) { return 0.75 * (dy[i] * gamma[i] - sum - normal(i) * along); }, 4e-6);
        expect_near(
            gamma_gradient, count, [&](std::size_t i) { return slow_wave(i) + dy[i] * normal(i); }, 1e-6);
        expect_near(
            beta_gradient, count, [&](std::size_t i) { return slow_wave(i) + dy[i]; }, 1e-6);
    });
}

double activated(Activation activation, double x) {
    switch (activation) {
        case Activation::gelu: return x * normal_cdf(x);
        case Activation::gelu_tanh: return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        case Activation::quick_gelu: return x / (1 + std::exp(-1.702 * x));
        case Activation::relu: return std::max(x, 0.0);
        case Activation::elu: return x > 0 ? x : std::expm1(x);
        case Activation::silu: return x / (1 + std::exp(-x));
    }
    return 0;
}

TEST(Rows, EveryActivationAndItsSlopeAgreeWithTheirFormulas) {
    for (const Activation activation : {Activation::gelu, Activation::gelu_tanh, Activation::quick_gelu,
                                        Activation::relu, Activation::elu, Activation::silu}) {
        SCOPED_TRACE(name_of(activation));
        for_all([&](const RowKernels& kernels, std::size_t count) {
            const EdgeRow x(count, [](std::size_t i) { return 3 * slow_wave(i); }), dy(count, other_wave);
            EdgeRow out(count);
            kernels.activate(activation, x, out, count);
            expect_near(
                out, count, [&](std::size_t i) { return activated(activation, x[i]); }, 2e-6);
            kernels.activate_back(activation, x, dy, out, count);
            const auto slope = [&](std::size_t i) { return activation_slope(activation, static_cast<float>(x[i])); };
            expect_near(
                out, count, [&](std::size_t i) { return static_cast<double>(slope(i)) * dy[i]; }, 2e-6);
        });
    }
}

TEST(Rows, SumsScalesAndProductsArePlain) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        const EdgeRow a(count, slow_wave), b(count, other_wave);
        EdgeRow out(count);
        kernels.add(a, b, out, count);
        expect_near(
            out, count, [&](std::size_t i) { return a[i] + b[i]; }, 1e-7);
        kernels.add_to(out, b, count);
        expect_near(
            out, count, [&](std::size_t i) { return a[i] + 2 * b[i]; }, 2e-7);
        kernels.scale(a, out, count, -0.3F);
        expect_near(
            out, count, [&](std::size_t i) { return static_cast<double>(-0.3F) * a[i]; }, 1e-7);
        kernels.scale(out, out, count, 2.0F);
        expect_near(
            out, count, [&](std::size_t i) { return 2 * static_cast<double>(-0.3F) * a[i]; }, 2e-7);
        double product = 0, squares = 0;
        float largest = 0;
        for (std::size_t i = 0; i < count; ++i) {
            product += a[i] * b[i];
            squares += a[i] * a[i];
            largest = std::max(largest, static_cast<float>(std::abs(a[i])));
        }
        EXPECT_NEAR(kernels.dot(a, b, count), product, 1e-5 * (1 + squares));
        EXPECT_NEAR(kernels.squares(a, count), squares, 1e-12 * (1 + squares));
        EXPECT_EQ(kernels.largest_magnitude(a, count), largest);
    });
}

/// A matrix of its own at the edge of a page, its rows `stride` apart, as it is stored or transposed.
struct EdgeMatrix {
    std::size_t stride;
    bool turned;
    EdgeRow numbers;

    EdgeMatrix(std::size_t rows, std::size_t columns, bool as_transposed, double (*of)(std::size_t))
        : stride(as_transposed ? rows : columns), turned(as_transposed), numbers(rows * columns, of) {}
    std::size_t row() const { return turned ? 1 : stride; }
    std::size_t column() const { return turned ? stride : 1; }
    double at(std::size_t i, std::size_t j) const { return numbers[i * row() + j * column()]; }
};

TEST(Rows, SmallProductsAreSumsOfProductsHoweverTheMatricesLie) {
    for (const RowKernels* const kernels : kernels_here()) {
        SCOPED_TRACE(kernels->name);
        for (const std::size_t m : {1, 3, 4, 15})
            for (const std::size_t n : {1, 5, 16, 17, 33})
                for (const std::size_t k : {1, 16, 64, 70})
                    for (int turns = 0; turns < 4; ++turns) {
                        EdgeMatrix a(m, k, turns % 2 == 1, slow_wave), b(k, n, turns / 2 == 1, other_wave);
                        EdgeRow c(m * n, [](std::size_t) { return 1e9; });
                        kernels->multiply(
                            {a.numbers, a.row(), a.column(), b.numbers, b.row(), b.column(), c, n, m, n, k, 0.5F});
                        for (std::size_t i = 0; i < m; ++i)
                            for (std::size_t j = 0; j < n; ++j) {
                                double sum = 0;
                                for (std::size_t x = 0; x < k; ++x) sum += a.at(i, x) * b.at(x, j);
                                ASSERT_NEAR(c[i * n + j], 0.5 * sum, 1e-4) << m << " " << n << " " << k << " " << turns;
                            }
                    }
    }
}

TEST(Rows, ProductsByPanelsAreSumsOfProductsHoweverTheMatricesLie) {
    struct Sizes {
        std::size_t m, n, k;
    };
    std::vector<float> scratch(panel_scratch);
    for (const auto& [m, n, k] : std::vector<Sizes>{
             {1, 1, 1}, {5, 33, 300}, {12, 40, 257}, {13, 20, 520}, {31, 150, 300}, {493, 7, 20}, {493, 137, 260}})
        for (int turns = 0; turns < 4; ++turns) {
            const EdgeMatrix a(m, k, turns % 2 == 1, slow_wave), b(k, n, turns / 2 == 1, other_wave);
            const EdgeRow bias(n, slow_wave);
            std::vector<double> sums(m * n);
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t x = 0; x < k; ++x)
                    for (std::size_t j = 0; j < n; ++j) sums[i * n + j] += a.at(i, x) * b.at(x, j);
            for (const RowKernels* const kernels : kernels_here())
                for (const bool laid_out : {false, true})
                    for (const bool adds : {false, true}) {
                        EdgeRow c(m * n, [&](std::size_t) { return adds ? 0.75 : 1e9; });
                        EdgeRow panels(kernels->panels->packed_size(k, n), [](std::size_t) { return NAN; });
                        if (laid_out) kernels->panels->pack({b.numbers, b.row(), b.column(), k, n}, panels);
                        kernels->panels->multiply({.a = a.numbers,
                                                   .a_row = a.row(),
                                                   .a_column = a.column(),
                                                   .b = laid_out ? nullptr : static_cast<const float*>(b.numbers),
                                                   .b_row = b.row(),
                                                   .b_column = b.column(),
                                                   .panels = laid_out ? panels.data() : nullptr,
                                                   .c = c,
                                                   .c_row = n,
                                                   .rows = m,
                                                   .columns = n,
                                                   .inner = k,
                                                   .alpha = 0.5F,
                                                   .bias = bias,
                                                   .adds = adds,
                                                   .scratch = scratch.data()});
                        for (std::size_t i = 0; i < m * n; ++i)
                            ASSERT_NEAR(c[i], 0.5 * sums[i] + bias[i % n] + (adds ? 0.75 : 0.0), 2e-3)
                                << kernels->name << " " << m << " " << n << " " << k << " " << turns << laid_out
                                << adds;
                    }
        }
}

TEST(Rows, TheLargestMagnitudePassesOverWhatIsNotFinite) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        EdgeRow in(count, [](std::size_t i) { return i == 0 ? -3.0 : 0.5; });
        if (count > 1) in.data()[count - 1] = INFINITY;
        if (count > 2) in.data()[count / 2] = NAN;
        EXPECT_EQ(kernels.largest_magnitude(in, count), 3.0F) << count;
    });
}

TEST(Rows, EntropyTakesZerosForZero) {
    for_all([](const RowKernels& kernels, std::size_t count) {
        const auto share = [&](double x) { return x * x / static_cast<double>(count); };
        const EdgeRow a(count, [&](std::size_t i) { return i % 5 == 4 ? 0.0 : share(slow_wave(i)); });
        const EdgeRow b(count, [&](std::size_t i) { return i % 5 == 4 ? 0.0 : share(other_wave(i)); });
        double of_a = 0, of_mean = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double mean = (a[i] + b[i]) / 2;
            if (a[i] > 0) of_a += a[i] * std::log(a[i]);
            if (mean > 0) of_mean += mean * std::log(mean);
        }
        EXPECT_NEAR(kernels.entropy_terms(a, count), of_a, 3e-6) << count;
        EXPECT_NEAR(kernels.entropy_terms_of_mean(a, b, count), of_mean, 3e-6) << count;
    });
}

TEST(Rows, DropoutIsTheSameBitsInEveryVariant) {
    const DropRule rule{0x12345678, 0x9ABCDEF0, 0x40000000, 4.0F / 3};
    for_all([&](const RowKernels& kernels, std::size_t count) {
        EdgeRow data(count, slow_wave);
        kernels.drop(rule, data, count);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t h = (static_cast<std::uint32_t>(i) ^ rule.low) * 0x85EBCA6BU + rule.high;
            h = (h ^ (h >> 13)) * 0xC2B2AE35U;
            h = (h ^ (h >> 16)) * 0x85EBCA6BU;
            h ^= h >> 13;
            ASSERT_EQ(data.data()[i], h < rule.limit ? 0.0F : static_cast<float>(slow_wave(i)) * rule.factor) << i;
        }
    });
}

TEST(Rows, OptimisersStepAsTheirPapersSay) {
    const AdamStep step{.beta1 = 0.9F,
                        .beta2 = 0.99F,
                        .epsilon = 1e-8F,
                        .gradient_scale = 0.5F,
                        .decay = 0.001F,
                        .length = 0.02F,
                        .root = 1.5F};
    for_all([&](const RowKernels& kernels, std::size_t count) {
        const EdgeRow g(count, slow_wave);
        const auto squared = [](std::size_t i) { return 0.5 + other_wave(i) * other_wave(i); };
        EdgeRow m(count, other_wave), v(count, squared), w(count, slow_wave), out(count);
        kernels.adamw(step, g, m, v, w, count);
        const auto first = [&](std::size_t i) { return 0.9 * other_wave(i) + 0.1 * g[i] / 2; };
        const auto second = [&](std::size_t i) { return 0.99 * squared(i) + 0.01 * g[i] * g[i] / 4; };
        expect_near(m, count, first, 1e-6);
        expect_near(v, count, second, 1e-6);
        const auto moved = [&](std::size_t i) { return 0.02 * first(i) / (1.5 * std::sqrt(second(i))); };
        expect_near(
            w, count, [&](std::size_t i) { return 0.999 * slow_wave(i) - moved(i); }, 1e-6);

        EdgeRow slow(count, other_wave);
        kernels.momentum(0.75F, g, slow, out, count);
        const auto mean = [&](std::size_t i) { return 0.75 * other_wave(i) + 0.25 * g[i]; };
        expect_near(slow, count, mean, 1e-6);
        expect_near(
            out, count, [&](std::size_t i) { return 0.75 * mean(i) + 0.25 * g[i]; }, 1e-6);

        EdgeRow weight(count, slow_wave);
        kernels.descend(0.125F, 0.5F, g, weight, count);
        expect_near(
            weight, count, [&](std::size_t i) { return 0.875 * slow_wave(i) - 0.5 * g[i]; }, 1e-6);
    });
}

}  // namespace
}  // namespace vitrine
