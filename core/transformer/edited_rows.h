#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/transformer/intervention.h"

// The effects of kinds of edits on rows of numbers. All change the edited numbers in place.

namespace vitrine {

/// A site's tensor as groups of rows: sequences, or heads of sequences.
struct RowGroups {
    std::vector<std::size_t> rows;  // of each group
    std::size_t columns = 0, heads = 1;
};

/// The input of an edit: a site's numbers, or their gradient.
struct EditedNumbers {
    Site site;
    float* data;
    std::size_t size;
    const RowGroups& groups;
    const Where& where;           // the part that the edit names
    std::uint64_t random_stream;  // makes random draws here differ from other sites' and blocks'
    bool repeated;                // whether an earlier edit of the same kind acts on all of the numbers
};

/// Calls f(group, first number, count of rows) for every group.
template <class F>
void for_groups(const RowGroups& groups, F f) {
    std::size_t first = 0;
    for (std::size_t group = 0; group < groups.rows.size(); ++group) {
        f(group, first, groups.rows[group]);
        first += groups.rows[group] * groups.columns;
    }
}

/// Calls f(first number of a group, first row, row after the last) for every contiguous range of edited rows.
template <class F>
void for_row_ranges(const EditedNumbers& numbers, F f) {
    const RowGroups& groups = numbers.groups;
    const Where& where = numbers.where;
    for_groups(groups, [&](std::size_t group, std::size_t start, std::size_t rows) {
        if (where.head && static_cast<std::size_t>(*where.head) != group % groups.heads) return;
        const auto one_row = [&](int token) {
            const auto row = static_cast<std::size_t>(token);
            if (row < rows) f(start, row, row + 1);
        };
        if (where.token)
            one_row(*where.token);
        else if (!where.tokens.empty())
            std::for_each(where.tokens.begin(), where.tokens.end(), one_row);
        else
            f(start, std::size_t{0}, rows);
    });
}

/// Calls f(first number, count) for every contiguous range of edited numbers.
template <class F>
void for_stretches(const EditedNumbers& numbers, F f) {
    const std::size_t columns = numbers.groups.columns;
    for_row_ranges(numbers, [&](std::size_t start, std::size_t first, std::size_t last) {
        if (!numbers.where.unit) return f(start + first * columns, (last - first) * columns);
        const auto unit = static_cast<std::size_t>(*numbers.where.unit);
        for (std::size_t row = first; row < last && unit < columns; ++row) f(start + row * columns + unit, 1);
    });
}

/// Calls f(number, row, column) for every edited number.
template <class F>
void for_numbers(const EditedNumbers& numbers, F f) {
    const std::size_t columns = numbers.groups.columns;
    for_row_ranges(numbers, [&](std::size_t start, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
            for (std::size_t column = 0; column < columns; ++column)
                f(numbers.data[start + row * columns + column], static_cast<int>(row), static_cast<int>(column));
    });
}

/// Forward, or back through a gradient.
enum class Direction { there, back };

void scale(const EditedNumbers& numbers, float factor);
void shuffle_rows(const EditedNumbers& numbers, std::uint32_t seed, Direction direction);
/// Reorders a sequence's heads (h, N, d) as if the matrix (N, D) were read as (h, N, d) without a transpose.
void reslice(const EditedNumbers& numbers, Direction direction);
/// Zeroes each number with probability `rate`, by a hash of its index, so that order and threads do not matter.
void drop(const EditedNumbers& numbers, const Drop& how);
/// Replaces the edited rows by the mean of all rows from `first_row` on.
void average(const EditedNumbers& numbers, std::size_t first_row, Direction direction);
/// Adds noise to each edited row; it depends on the seed, the random stream and the row alone.
void add_noise(const EditedNumbers& numbers, const Noise& noise);
void swap_rows(const EditedNumbers& numbers, const Swap& swap);
void coarsen_rows(const EditedNumbers& numbers, const Coarsen& how, Direction direction);
void add_row(const EditedNumbers& numbers, const AddRow& how);
/// Adds to the row's gradient the gradients of the rows that it was added to, times the factor.
void add_row_back(const EditedNumbers& gradient, const AddRow& how);

}  // namespace vitrine
