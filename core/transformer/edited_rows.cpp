#include "core/transformer/edited_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/tensor/rows.h"
#include "core/tensor/tensor.h"
#include "core/transformer/position_grid.h"

namespace vitrine {

namespace {

/// Mean of the rows from `first_row` on, of the group that begins at `start`.
std::vector<float> mean_of_rows(const EditedNumbers& n, std::size_t start, std::size_t first_row, std::size_t rows) {
    const std::size_t columns = n.groups.columns;
    std::vector<double> sum(columns, 0.0);
    for (std::size_t row = first_row; row < rows; ++row)
        for (std::size_t k = 0; k < columns; ++k) sum[k] += static_cast<double>(n.data[start + row * columns + k]);
    std::vector<float> mean;
    for (const double x : sum) mean.push_back(static_cast<float>(x / static_cast<double>(rows - first_row)));
    return mean;
}

/// The indices of a group's edited rows, in ascending order.
std::vector<std::size_t> edited_rows(const Where& where, std::size_t rows) {
    std::vector<std::size_t> edited;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto token = static_cast<int>(row);
        if (!where.names_tokens() || where.token == token || std::ranges::binary_search(where.tokens, token))
            edited.push_back(row);
    }
    return edited;
}

/// A table over a grid, interpolated to the edit's coarser grid and back.
Tensor2 coarsened(const Coarsen& c, const float* table, std::size_t width, PositionGrid own) {
    const int rows = static_cast<int>(std::lround(static_cast<double>(own.rows) * c.side / own.columns));
    const PositionGrid coarse{std::max(1, rows), c.side};
    const Tensor2 small = interpolate_positions(PositionRule::antialiased, table, width, own, coarse);
    return interpolate_positions(PositionRule::antialiased, small.data(), width, coarse, own);
}

/// The weights of `coarsened`, found by coarsening the unit matrix.      ->  (rows, rows)  [new row, old row]
Tensor2 shares_of_rows(const Coarsen& c, PositionGrid own) {
    const auto n = static_cast<std::size_t>(own.patches());
    Tensor2 unit = tensor2(n, n);
    std::fill(unit.begin(), unit.end(), 0.0F);
    for (std::size_t i = 0; i < n; ++i) unit(i, i) = 1;
    return coarsened(c, unit.data(), n, own);
}

}  // namespace

void scale(const EditedNumbers& numbers, float factor) {
    for_stretches(numbers, [&](std::size_t first, std::size_t count) {
        float* const data = numbers.data + first;
        // Assigned instead of multiplied, since 0 · ∞ is NaN.
        if (factor == 0.0F)
            std::fill_n(data, count, 0.0F);
        else
            std::for_each(data, data + count, [&](float& x) { x *= factor; });
    });
}

void shuffle_rows(const EditedNumbers& numbers, std::uint32_t seed, Direction direction) {
    const RowGroups& groups = numbers.groups;
    for_groups(groups, [&](std::size_t, std::size_t start, std::size_t count) {
        const std::vector<int> order = shuffled_order(static_cast<int>(count), seed);
        float* const rows = numbers.data + start;
        const std::vector<float> before(rows, rows + count * groups.columns);
        for (std::size_t i = 0; i < count; ++i) {
            const auto other = static_cast<std::size_t>(order[i]);
            const auto [from, to] = direction == Direction::there ? std::pair(other, i) : std::pair(i, other);
            std::copy_n(before.data() + from * groups.columns, groups.columns, rows + to * groups.columns);
        }
    });
}

void reslice(const EditedNumbers& edited, Direction direction) {
    const RowGroups& groups = edited.groups;
    const std::size_t h = groups.heads, n = groups.rows.front(), d = groups.columns, size = h * n * d;
    for (std::size_t sequence = 0; sequence < groups.rows.size() / h; ++sequence) {
        float* const numbers = edited.data + sequence * size;
        const std::vector<float> before(numbers, numbers + size);
        for (std::size_t at = 0; at < size; ++at) {
            const std::size_t token = at / (h * d), feature = at % (h * d);
            const std::size_t cut = (feature / d * n + token) * d + feature % d;
            if (direction == Direction::there)
                numbers[at] = before[cut];
            else
                numbers[cut] = before[at];
        }
    }
}

void drop(const EditedNumbers& numbers, const Drop& how) {
    const std::uint64_t key = Random(how.seed ^ (numbers.random_stream * 0x9E3779B97F4A7C15ULL)).next();
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    const auto limit = static_cast<std::uint32_t>(static_cast<double>(how.rate) * 4294967295.0);
    row_kernels().drop({low, high, limit, 1 / (1 - how.rate)}, numbers.data, numbers.size);
}

void average(const EditedNumbers& n, std::size_t first_row, Direction direction) {
    const std::size_t columns = n.groups.columns;
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (first_row >= rows) return;
        const std::vector<std::size_t> edited = edited_rows(n.where, rows);
        if (direction == Direction::there) {
            const std::vector<float> mean = mean_of_rows(n, start, first_row, rows);
            for (const std::size_t row : edited) std::ranges::copy(mean, n.data + start + row * columns);
            return;
        }
        // Each averaged row passes an equal share of its gradient to every row of the mean.
        const float share = 1.0F / static_cast<float>(rows - first_row);
        std::vector<float> shares(columns, 0.0F);
        for (const std::size_t row : edited) {
            float* const gradient = n.data + start + row * columns;
            for (std::size_t k = 0; k < columns; ++k) shares[k] += share * gradient[k];
            std::fill_n(gradient, columns, 0.0F);
        }
        for (std::size_t row = first_row; row < rows; ++row)
            for (std::size_t k = 0; k < columns; ++k) n.data[start + row * columns + k] += shares[k];
    });
}

void add_noise(const EditedNumbers& numbers, const Noise& noise) {
    const std::size_t columns = numbers.groups.columns;
    for_row_ranges(numbers, [&](std::size_t start, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            Random random(Random(noise.seed ^ (numbers.random_stream << 32)).next() + row);
            for (std::size_t k = 0; k < columns; ++k)
                numbers.data[start + row * columns + k] += noise.deviation * random.normal();
        }
    });
}

void swap_rows(const EditedNumbers& n, const Swap& swap) {
    const std::size_t columns = n.groups.columns, one = static_cast<std::size_t>(swap.one),
                      other = static_cast<std::size_t>(swap.other);
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (one >= rows || other >= rows) return;
        float* const a = n.data + start + one * columns;
        std::swap_ranges(a, a + columns, n.data + start + other * columns);
    });
}

void coarsen_rows(const EditedNumbers& n, const Coarsen& c, Direction direction) {
    if (c.side == c.columns) return;
    const std::size_t width = n.groups.columns, first = static_cast<std::size_t>(c.first);
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        const PositionGrid own{(static_cast<int>(rows) - c.first) / c.columns, c.columns};
        if (own.rows < 1) return;
        float* const table = n.data + start + first * width;
        if (direction == Direction::there) {
            std::ranges::copy(coarsened(c, table, width, own), table);
            return;
        }
        // Each row's gradient is distributed to the rows from which it was interpolated.
        const Tensor2 shares = shares_of_rows(c, own);
        const std::size_t count = shares.shape()[0];
        const std::vector<float> after(table, table + count * width);
        std::fill_n(table, count * width, 0.0F);
        for (std::size_t to = 0; to < count; ++to)
            for (std::size_t from = 0; from < count; ++from)
                for (std::size_t k = 0; k < width; ++k)
                    table[from * width + k] += shares(to, from) * after[to * width + k];
    });
}

void add_row(const EditedNumbers& n, const AddRow& a) {
    const std::size_t columns = n.groups.columns, from = static_cast<std::size_t>(a.row);
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (from >= rows) return;
        const float* const row = n.data + start + from * columns;
        const std::vector<float> added(row, row + columns);  // a copy, since the row may be added to itself
        for (const std::size_t edited : edited_rows(n.where, rows))
            for (std::size_t k = 0; k < columns; ++k) n.data[start + edited * columns + k] += a.factor * added[k];
    });
}

void add_row_back(const EditedNumbers& g, const AddRow& a) {
    const std::size_t columns = g.groups.columns, from = static_cast<std::size_t>(a.row);
    for_groups(g.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (from >= rows) return;
        std::vector<float> sum(columns, 0.0F);
        for (const std::size_t edited : edited_rows(g.where, rows))
            for (std::size_t k = 0; k < columns; ++k) sum[k] += a.factor * g.data[start + edited * columns + k];
        for (std::size_t k = 0; k < columns; ++k) g.data[start + from * columns + k] += sum[k];
    });
}

}  // namespace vitrine
