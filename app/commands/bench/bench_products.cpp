#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/bench/benches.h"
#include "app/commands/bench/median.h"
#include "core/base/clock.h"
#include "core/base/machine.h"
#include "core/tensor/product_table.h"
#include "core/tensor/product_ways.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

constexpr double shortest_lap_ms = 2;  // products are repeated for at least this time
constexpr int laps = 40;
constexpr std::size_t stacked = 24;  // matrices of a stack

/// The library is chosen if its time ÷ the panels' is below this. With AVX-512 the library is chosen unless the panels
/// are clearly faster. Without, the library must be clearly faster itself: oneDNN's AVX2 products are as fast as panels
/// on an Intel Xeon, but took 1.4 times as long as OpenBLAS's on AMD's Zen 3.
double largest_share() { return row_kernels().level == 4 ? 1.1 : 0.85; }

std::vector<float> waves(std::size_t count) {
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
        numbers[i] = static_cast<float>(static_cast<int>(i * 7919 % 2003) - 1001) / 1001;
    return numbers;
}

using Work = std::function<void()>;

/// Median milliseconds of a product by each implementation, and the median of their ratios, measured in turn.
struct Times {
    double library = 0, panels = 1;
    double share = std::numeric_limits<double>::infinity();  // the library's time ÷ the panels'
};

Times time_ways(const Work& library, const Work& panels) {
    library();
    panels();
    const auto start = Clock::now();
    library();
    const int together = std::max(1, static_cast<int>(shortest_lap_ms / std::max(1e-6, milliseconds_since(start))));
    const auto lap = [&](const Work& work) {
        const auto begin = Clock::now();
        for (int i = 0; i < together; ++i) work();
        return milliseconds_since(begin) / together;
    };
    std::vector<double> by_library, by_panels, shares;
    for (int i = 0; i < laps; ++i) {
        by_library.push_back(lap(library));
        by_panels.push_back(lap(panels));
        shares.push_back(by_library.back() / by_panels.back());
    }
    return {median(by_library), median(by_panels), median(shares)};
}

/// Times products with a packed weight.
Times time_packed(const ProductShape& s) {
    const std::vector<float> w = waves(s.columns * s.inner), x = waves(s.rows * s.inner);
    const std::shared_ptr<const float> borrowed(std::shared_ptr<void>(), w.data());
    const LinearWeights weights{Parameter(borrowed, {s.columns, s.inner}), {}, {}};
    std::vector<float> y(s.rows * s.columns);
    const auto library = by_library::pack(weights, s.rows), panels = by_panels::pack(weights);
    const auto apply = [&](const PackedWeights& packed) { packed.apply(x.data(), s.rows, y.data()); };
    if (library == nullptr) return {};
    return time_ways([&] { apply(*library); }, [&] { apply(*panels); });
}

/// Times X Wᵀ, X W and Xᵀ W together: a layer's output and the gradients by its input and its weights.
Times time_stored(const ProductShape& s) {
    const std::size_t count = s.kind == ProductKind::stack ? stacked : 1;
    const std::vector<float> a = waves(count * s.rows * s.inner), b = waves(count * s.columns * s.inner);
    std::vector<float> c(count * s.rows * s.columns);
    const auto view = [](const std::vector<float>& m, Transpose turned, std::size_t rows, std::size_t columns) {
        if (turned == Transpose::yes) std::swap(rows, columns);
        return MatrixStack{{m.data(), rows, columns, columns}, rows * columns};
    };
    std::vector<ProductPart> parts;
    for (const auto& [turn_a, turn_b] :
         {std::pair{Transpose::no, Transpose::yes}, {Transpose::no, Transpose::no}, {Transpose::yes, Transpose::no}})
        parts.push_back({.a = view(a, turn_a, s.rows, s.inner),
                         .b = view(b, turn_b, s.inner, s.columns),
                         .transpose_a = turn_a,
                         .transpose_b = turn_b,
                         .alpha = 1.0F,
                         .into = Product::Into::empty,
                         .bias = nullptr,
                         .count = count,
                         .kind = s.kind,
                         .c_stride = s.columns,
                         .c_distance = s.rows * s.columns});
    for (const ProductPart& part : parts)
        if (!by_library::multiply(part, c.data())) return {};
    return time_ways(
        [&] {
            for (const ProductPart& part : parts) by_library::multiply(part, c.data());
        },
        [&] {
            for (const ProductPart& part : parts) by_panels::multiply(part, c.data());
        });
}

}  // namespace

void print_product_table() {
    static constexpr const char* kinds[] = {"packed", "stored", "varied", "stack"};
    const std::string name = by_library::name(), library = name.substr(0, name.find(' '));
    std::printf("// %s; %s; %s; one thread\n", name.c_str(), vector_variant(), processor_name().c_str());
    for (const ProductShape& s : measured_shapes()) {
        const Times t = s.kind == ProductKind::packed ? time_packed(s) : time_stored(s);
        std::printf(
            "{\"%s\", %d, {ProductKind::%s, %zu, %zu, %zu}, ProductWay::%s},  // %.3f ms and %.3f by panels: %.2f\n",
            library.c_str(), row_kernels().level, kinds[static_cast<int>(s.kind)], s.rows, s.columns, s.inner,
            t.share < largest_share() ? "library" : "panels", t.library, t.panels, t.share);
        std::fflush(stdout);
    }
}

}  // namespace vitrine
