#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/team.h"
#include "core/tensor/matmul.h"
#include "core/tensor/product_table.h"

namespace vitrine {
namespace {

std::vector<float> numbers(std::size_t count, std::size_t seed) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(static_cast<int>((i * 7919 + seed * 104729) % 2003) - 1001) / 1001.0F;
    return values;
}

struct Sizes {
    std::size_t rows, columns, inner, count = 1;
};

/// How the matrices of a product lie: each may be transposed, its rows may stand apart.
struct Way {
    Transpose a = Transpose::no, b = Transpose::no;
    std::size_t gap = 0;
    float alpha = 1.0F;
    Product::Into into = Product::Into::empty;
    bool biased = false;
    bool varied = false;
};

/// A product's matrices in memory, and what a plain triple loop makes of them.
class Example {
public:
    Example(const Sizes& s, const Way& w) : sizes_(s), way_(w) {
        a_rows_ = w.a == Transpose::yes ? s.inner : s.rows, a_columns_ = w.a == Transpose::yes ? s.rows : s.inner;
        b_rows_ = w.b == Transpose::yes ? s.columns : s.inner, b_columns_ = w.b == Transpose::yes ? s.inner : s.columns;
        a_ = numbers(s.count * a_rows_ * (a_columns_ + w.gap), 1);
        b_ = numbers(s.count * b_rows_ * (b_columns_ + w.gap), 2);
        bias_ = numbers(s.columns, 3);
        before_ = numbers(s.count * s.rows * s.columns, 4);
        expected_ = plain_loops();
    }

    std::vector<float> computed() const {
        std::vector<float> c = before_;
        multiply({.a = {a_.data(), a_rows_, a_columns_, a_columns_ + way_.gap},
                  .b = {b_.data(), b_rows_, b_columns_, b_columns_ + way_.gap},
                  .transpose_a = way_.a,
                  .transpose_b = way_.b,
                  .alpha = way_.alpha,
                  .into = way_.into,
                  .bias = way_.biased ? bias_.data() : nullptr,
                  .count = sizes_.count,
                  .varied = way_.varied},
                 c.data());
        return c;
    }

    /// The largest difference of `c` from the plain loops' result.
    double error(const std::vector<float>& c) const {
        double most = 0;
        for (std::size_t i = 0; i < c.size(); ++i)
            most = std::max(most, std::abs(static_cast<double>(c[i]) - expected_[i]));
        return most;
    }

private:
    /// Where op(M)(i, j) lies.
    struct Steps {
        std::size_t row, column, matrix;
    };
    static Steps steps(Transpose turned, std::size_t rows, std::size_t stride) {
        return turned == Transpose::yes ? Steps{1, stride, rows * stride} : Steps{stride, 1, rows * stride};
    }

    std::vector<double> plain_loops() const {
        const Sizes& s = sizes_;
        const Steps a = steps(way_.a, a_rows_, a_columns_ + way_.gap),
                    b = steps(way_.b, b_rows_, b_columns_ + way_.gap);
        std::vector<double> result(before_.size());
        for (std::size_t row = 0; row < s.count * s.rows; ++row) {
            double* const sums = result.data() + row * s.columns;
            const std::size_t m = row / s.rows, i = row % s.rows;
            for (std::size_t k = 0; k < s.inner; ++k) {
                const double left = static_cast<double>(a_[m * a.matrix + i * a.row + k * a.column]);
                const float* const right = b_.data() + m * b.matrix + k * b.row;
                for (std::size_t j = 0; j < s.columns; ++j) sums[j] += left * static_cast<double>(right[j * b.column]);
            }
            for (std::size_t j = 0; j < s.columns; ++j) {
                sums[j] *= static_cast<double>(way_.alpha);
                if (way_.biased) sums[j] += static_cast<double>(bias_[j]);
                if (way_.into == Product::Into::sum) sums[j] += static_cast<double>(before_[row * s.columns + j]);
            }
        }
        return result;
    }

    Sizes sizes_;
    Way way_;
    std::size_t a_rows_, a_columns_, b_rows_, b_columns_;
    std::vector<float> a_, b_, bias_, before_;
    std::vector<double> expected_;
};

constexpr Sizes all_sizes[] = {{1, 1, 1},       {1, 5, 3},         {3, 1, 7},         {1, 1000, 64},
                               {65, 64, 64},    {197, 101, 96},    {17, 257, 130},    {2, 300, 257},
                               {65, 65, 16, 4}, {197, 197, 64, 3}, {197, 64, 197, 3}, {33, 65, 16, 5},
                               {1, 64, 65, 2},  {64, 1, 1, 7},     {500, 3, 40},      {128, 768, 64}};

std::vector<Way> all_ways() {
    std::vector<Way> ways;
    for (const Transpose a : {Transpose::no, Transpose::yes})
        for (const Transpose b : {Transpose::no, Transpose::yes})
            for (const std::size_t gap : {0U, 3U})
                for (const Product::Into into : {Product::Into::empty, Product::Into::sum}) {
                    ways.push_back({a, b, gap, 1.0F, into, false});
                    ways.push_back({a, b, gap, 0.125F, into, false});
                    ways.push_back({a, b, gap, 1.0F, into, true});
                    ways.push_back({a, b, gap, 1.0F, into, true, true});
                }
    return ways;
}

TEST(Multiply, IsThePlainTripleLoopForEverySizeAndWayAndNumberOfThreads) {
    for (const Sizes& sizes : all_sizes)
        for (const Way& way : all_ways()) {
            const Example example(sizes, way);
            for (const ProductWay by : {ProductWay::library, ProductWay::panels}) {
                const OnlyWay only(by);
                for (const int threads : {1, 3}) {
                    const ThreadCount count(threads);
                    EXPECT_LT(example.error(example.computed()), 1e-5 * static_cast<double>(sizes.inner + 4))
                        << sizes.count << " times " << sizes.rows << " x " << sizes.inner << " x " << sizes.columns
                        << ", transposed " << static_cast<int>(way.a) << static_cast<int>(way.b) << ", gap " << way.gap
                        << ", alpha " << way.alpha << ", sum " << static_cast<int>(way.into) << ", bias " << way.biased
                        << ", varied " << way.varied << ", panels " << (by == ProductWay::panels) << ", threads "
                        << threads;
                }
            }
        }
}

TEST(Multiply, TheSameNumberOfThreadsGivesTheSameBitsWhoeverElseIsAtWork) {
    const Example example({197, 257, 300}, {});
    for (const int threads : {1, 2, 3}) {
        const ThreadCount count(threads);
        const std::vector<float> expected = example.computed();
        std::vector<std::vector<float>> results(4);
        std::vector<std::thread> callers;
        for (auto& result : results)
            callers.emplace_back([&, threads] {
                set_thread_count(threads);
                for (int round = 0; round < 5; ++round) result = example.computed();
            });
        for (std::thread& caller : callers) caller.join();
        for (const auto& result : results)
            EXPECT_EQ(std::memcmp(result.data(), expected.data(), expected.size() * sizeof(float)), 0);
    }
}

TEST(Multiply, NothingTimesNothingIsNothing) {
    float c = 5;
    multiply({.a = {nullptr, 0, 3, 3}, .b = {nullptr, 3, 4, 4}}, &c);
    multiply({.a = {&c, 1, 1, 1}, .b = {&c, 1, 1, 1}, .count = 0}, &c);
    EXPECT_EQ(c, 5.0F);
}

TEST(Multiply, SumsOfNothingAreZerosOrTheBias) {
    const std::vector<float> bias = {1, 2, 3};
    const auto product = [&](Product::Into into, const float* biased) {
        std::vector<float> c(12, 5.0F);  // two of (2, 3)
        multiply({.a = {bias.data(), 2, 0, 0}, .b = {bias.data(), 0, 3, 3}, .into = into, .bias = biased, .count = 2},
                 c.data());
        return std::vector<float>(c.begin() + 9, c.end());  // the last row of the last one
    };
    EXPECT_EQ(product(Product::Into::empty, nullptr), std::vector<float>(3, 0.0F));
    EXPECT_EQ(product(Product::Into::empty, bias.data()), bias);
    EXPECT_EQ(product(Product::Into::sum, nullptr), std::vector<float>(3, 5.0F));
    EXPECT_EQ(product(Product::Into::sum, bias.data()), (std::vector<float>{6, 7, 8}));
}

TEST(Multiply, GoesTheWayOfTheWholeStackWhereItsMatricesAreDealtOutOneAThread) {
    constexpr std::size_t heads = 3;
    const ThreadCount count(heads);
    for (const ProductShape& s : measured_shapes()) {
        if (s.kind != ProductKind::stack) continue;
        const std::vector<float> a = numbers(heads * s.rows * s.inner, 1), b = numbers(heads * s.inner * s.columns, 2);
        const auto product = [&] {
            std::vector<float> c(heads * s.rows * s.columns);
            multiply({.a = {a.data(), s.rows, s.inner, s.inner},
                      .b = {b.data(), s.inner, s.columns, s.columns},
                      .count = heads},
                     c.data());
            return c;
        };
        const std::vector<float> dealt_out = product();
        const OnlyWay only(way_of(s));
        EXPECT_EQ(dealt_out, product()) << s.rows << " x " << s.inner << " x " << s.columns;
    }
}

TEST(PackedLinear, IsThePlainLoopForEveryNumberOfRowsAndThreads) {
    for (const auto& [inputs, outputs] :
         {std::pair<std::size_t, std::size_t>{64, 64}, {96, 80}, {130, 33}, {7, 1}, {300, 150}})
        for (const bool biased : {false, true}) {
            const std::vector<float> w = numbers(inputs * outputs, 5), bias = numbers(outputs, 6);
            const auto view = [](const std::vector<float>& v, std::vector<std::size_t> shape) {
                return Parameter(std::shared_ptr<const float>(std::shared_ptr<void>(), v.data()), std::move(shape));
            };
            const LinearWeights weights{view(w, {outputs, inputs}), biased ? view(bias, {outputs}) : Parameter(), {}};
            for (const ProductWay by : {ProductWay::library, ProductWay::panels}) {
                const OnlyWay only(by);
                const PackedLinear packed(weights);
                for (const std::size_t rows : {1U, 2U, 31U, 197U, 400U}) {
                    const std::vector<float> x = numbers(rows * inputs, 7);
                    for (const int threads : {1, 2, 3}) {
                        const ThreadCount count(threads);
                        std::vector<float> y(rows * outputs);
                        packed.apply(x.data(), rows, y.data());
                        double most = 0;
                        for (std::size_t i = 0; i < rows; ++i)
                            for (std::size_t j = 0; j < outputs; ++j) {
                                double sum = biased ? static_cast<double>(bias[j]) : 0;
                                for (std::size_t k = 0; k < inputs; ++k)
                                    sum +=
                                        static_cast<double>(x[i * inputs + k]) * static_cast<double>(w[j * inputs + k]);
                                most = std::max(most, std::abs(static_cast<double>(y[i * outputs + j]) - sum));
                            }
                        EXPECT_LT(most, 1e-4) << rows << " rows, " << inputs << " to " << outputs << ", " << threads;
                    }
                }
            }
        }
}

TEST(PackedLinear, GivesBackTheWeightsBitForBit) {
    for (const auto& [inputs, outputs] :
         {std::pair<std::size_t, std::size_t>{64, 64}, {96, 80}, {130, 33}, {7, 1}, {1, 5}, {300, 150}, {768, 197}}) {
        std::vector<float> w = numbers(inputs * outputs, 8);
        w.front() = -0.0F;
        w.back() = std::numeric_limits<float>::denorm_min();
        const std::shared_ptr<const float> borrowed(std::shared_ptr<void>(), w.data());
        for (const ProductWay by : {ProductWay::library, ProductWay::panels}) {
            const OnlyWay only(by);
            const auto packed =
                std::make_shared<const PackedLinear>(LinearWeights{Parameter(borrowed, {outputs, inputs}), {}, {}});
            const Parameter weight(packed, {outputs, inputs});
            EXPECT_FALSE(weight.empty());
            const Parameter stored = weight.stored();
            EXPECT_EQ(std::memcmp(stored.data(), w.data(), w.size() * sizeof(float)), 0) << inputs << " to " << outputs;
            EXPECT_EQ(weight.stored().data(), stored.data()) << "who asks again shares the numbers";
        }
    }
}

TEST(PackedLinear, MoreMatricesThanAreKeptComeBackToo) {
    constexpr std::size_t edge = 1500, count = 12;  // 9 MB each, of which 64 MiB are kept
    std::vector<std::shared_ptr<const PackedLinear>> packed;
    std::vector<std::vector<float>> given;
    for (std::size_t i = 0; i < count; ++i) {
        given.push_back(numbers(edge * edge, i));
        const std::shared_ptr<const float> borrowed(std::shared_ptr<void>(), given.back().data());
        packed.push_back(
            std::make_shared<const PackedLinear>(LinearWeights{Parameter(borrowed, {edge, edge}), {}, {}}));
    }
    std::vector<std::weak_ptr<const float>> seen;
    for (std::size_t i = 0; i < count; ++i) seen.push_back(packed[i]->stored());
    EXPECT_TRUE(seen.front().expired());
    EXPECT_FALSE(seen.back().expired());
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(std::memcmp(packed[i]->stored().get(), given[i].data(), edge * edge * sizeof(float)), 0) << i;
}

TEST(ProductLibrary, HasANameAndAVersion) {
    const std::string name = product_library();
    EXPECT_TRUE(name.starts_with("oneDNN ") || name.starts_with("Eigen 3.")) << name;
    EXPECT_NE(name.find("; table "), std::string::npos) << name;
}

}  // namespace
}  // namespace vitrine
