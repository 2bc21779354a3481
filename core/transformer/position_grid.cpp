#include "core/transformer/position_grid.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

namespace {

constexpr double sharp = -0.75, smooth = -0.5;  // PyTorch's a without and with antialiasing

/// The cubic convolution kernel (Keys 1981) at distance x.
double cubic(double x, double a) {
    x = std::abs(x);
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

/// The weights of the samples around `at`; the weights beyond an edge are added to the edge's.
AxisWeights clamped(double at, int count, bool linear) {
    const int taps = linear ? 2 : 4, below = static_cast<int>(std::floor(at)), first = below - taps / 2 + 1;
    const double part = at - below;
    const int low = std::clamp(first, 0, count - 1), high = std::clamp(first + taps - 1, 0, count - 1);
    AxisWeights axis{low, std::vector<double>(static_cast<std::size_t>(high - low + 1), 0.0)};
    for (int i = 0; i < taps; ++i) {
        const double weight = linear ? (i == 0 ? 1 - part : part) : cubic(part - (i - 1), sharp);
        axis.weights[static_cast<std::size_t>(std::clamp(first + i, 0, count - 1) - low)] += weight;
    }
    return axis;
}

/// The weights of the samples under the kernel, which is stretched if the grid shrinks.
AxisWeights filtered(double centre, double step, int count) {
    const double stretch = std::max(step, 1.0), support = 2 * stretch;
    const int low = std::max(static_cast<int>(centre - support + 0.5), 0);
    const int high = std::min(static_cast<int>(centre + support + 0.5), count);
    AxisWeights axis{low, {}};
    double sum = 0;
    for (int i = low; i < high; ++i) {
        axis.weights.push_back(cubic((i - centre + 0.5) / stretch, smooth));
        sum += axis.weights.back();
    }
    for (double& weight : axis.weights) weight /= sum;
    return axis;
}

/// The distances of the old offsets 1, 2, … in steps of the new grid: 1, 1 + q, 1 + q + q², … q is the smallest factor
/// that reaches the new grid's last offset, within timm's limits 1.01 and 1.5.
std::vector<double> geometric_distances(int count, int reach) {
    double low = 1.01, high = 1.5, q = low;
    while (high - low > 1e-6) {
        q = (low + high) / 2;
        ((1 - std::pow(q, count)) / (1 - q) > reach ? high : low) = q;
    }
    std::vector<double> distances;
    double distance = 0, step = 1;
    for (int i = 0; i < count; ++i, step *= q) distances.push_back(distance += step);
    return distances;
}

/// The linear weights of the two old offsets around `at`; beyond the first or last offset, that one alone.
AxisWeights between(const std::vector<double>& offsets, double at) {
    const auto right = std::lower_bound(offsets.begin(), offsets.end(), at);
    if (right == offsets.begin()) return {0, {1.0}};
    const int left = static_cast<int>(right - offsets.begin()) - 1;
    if (right == offsets.end()) return {left, {1.0}};
    const double part = (at - *(right - 1)) / (*right - *(right - 1));
    return {left, {1 - part, part}};
}

std::vector<AxisWeights> geometric_weights(int before, int after) {
    const std::vector<double> distances = geometric_distances(before / 2, after / 2);
    std::vector<double> offsets;
    for (int i = 0; i < before; ++i) {
        const int offset = i - before / 2;
        const double distance = offset == 0 ? 0 : distances[static_cast<std::size_t>(std::abs(offset) - 1)];
        offsets.push_back(offset < 0 ? -distance : distance);
    }
    std::vector<AxisWeights> axes;
    for (int i = 0; i < after; ++i) axes.push_back(between(offsets, i - after / 2));
    return axes;
}

}  // namespace

std::vector<AxisWeights> axis_weights(PositionRule rule, int before, int after) {
    if (rule == PositionRule::geometric) return geometric_weights(before, after);
    const double all = before, step = rule == PositionRule::offset ? all / (after + 0.1) : all / after;
    const double between_corners = after > 1 ? (all - 1) / (after - 1) : 0;
    std::vector<AxisWeights> axes;
    for (int i = 0; i < after; ++i) {
        const double centre = (i + 0.5) * step;
        if (rule == PositionRule::antialiased)
            axes.push_back(filtered(centre, step, before));
        else if (rule == PositionRule::corners || rule == PositionRule::linear)
            axes.push_back(clamped(i * between_corners, before, rule == PositionRule::linear));
        else
            axes.push_back(clamped(centre - 0.5, before, rule == PositionRule::bilinear));
    }
    return axes;
}

Tensor2 interpolate_positions(PositionRule rule, const float* table, std::size_t width, PositionGrid before,
                              PositionGrid after) {
    Tensor2 out = tensor2(static_cast<std::size_t>(after.patches()), width);
    if (before == after) {
        std::copy_n(table, out.size(), out.data());
        return out;
    }
    const std::vector<AxisWeights> down = axis_weights(rule, before.rows, after.rows),
                                   across = axis_weights(rule, before.columns, after.columns);
    std::vector<double> sum(width);
    float* next = out.data();
    for (const AxisWeights& row : down)
        for (const AxisWeights& column : across) {
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::size_t y = 0; y < row.weights.size(); ++y)
                for (std::size_t x = 0; x < column.weights.size(); ++x) {
                    const double weight = row.weights[y] * column.weights[x];
                    const auto from =
                        (static_cast<std::size_t>(row.first) + y) * static_cast<std::size_t>(before.columns) +
                        static_cast<std::size_t>(column.first) + x;
                    for (std::size_t i = 0; i < width; ++i)
                        sum[i] += weight * static_cast<double>(table[from * width + i]);
                }
            next = std::transform(sum.begin(), sum.end(), next, [](double v) { return static_cast<float>(v); });
        }
    return out;
}

}  // namespace vitrine
