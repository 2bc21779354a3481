#include "core/transformer/packed_heads.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// Calls f(matrix, query, number of keys it sees) for every query of every head; queries beyond a sentence's end see
/// none.
template <class F>
void for_queries(const VisibleKeys& sight, const Tensor3& of_heads, F f) {
    const auto sequences = static_cast<std::size_t>(sight.queries.sequences);
    const std::size_t heads = of_heads.shape()[0] / sequences, queries = of_heads.shape()[1];
    for (std::size_t matrix = 0; matrix < of_heads.shape()[0]; ++matrix) {
        const auto sequence = static_cast<int>(matrix / heads);
        const auto length = static_cast<std::size_t>(sight.queries.length(sequence));
        for (std::size_t query = 0; query < queries; ++query)
            f(matrix, query,
              query < length ? static_cast<std::size_t>(sight.seen(sequence, static_cast<int>(query))) : 0);
    }
}

void fill_unseen(const VisibleKeys& sight, Tensor3& t, float value) {
    const std::size_t keys = t.shape()[2];
    for_queries(sight, t, [&](std::size_t matrix, std::size_t query, std::size_t seen) {
        float* const row = &t(matrix, query, 0);
        std::fill(row + seen, row + keys, value);
    });
}

}  // namespace

int VisibleKeys::seen(int sequence, int query) const {
    const int all = keys.length(sequence);
    return ahead ? std::clamp(first + query + 1 + *ahead, 1, all) : all;
}

void hide(const VisibleKeys& sight, Tensor3& scores) {
    fill_unseen(sight, scores, -std::numeric_limits<float>::infinity());
}

void blank(const VisibleKeys& sight, Tensor3& attention) { fill_unseen(sight, attention, 0.0F); }

Tensor3 masked_softmax(const VisibleKeys& sight, const Tensor3& scores) {
    Tensor3 out = Tensor3::from_shape(scores.shape());
    const auto softmax_row = row_kernels().softmax;
    for_queries(sight, scores, [&](std::size_t matrix, std::size_t query, std::size_t seen) {
        if (seen > 0) softmax_row(&scores(matrix, query, 0), &out(matrix, query, 0), seen);
    });
    blank(sight, out);
    return out;
}

Tensor3 masked_softmax_back(const VisibleKeys& sight, const Tensor3& attention, const Tensor3& gradient) {
    Tensor3 out = Tensor3::from_shape(attention.shape());
    const auto softmax_row_back = row_kernels().softmax_back;
    for_queries(sight, attention, [&](std::size_t matrix, std::size_t query, std::size_t seen) {
        if (seen > 0)
            softmax_row_back(&attention(matrix, query, 0), &gradient(matrix, query, 0), &out(matrix, query, 0), seen);
    });
    blank(sight, out);
    return out;
}

Tensor3 multiply_heads(const HeadsProduct& p, int sequences) {
    const std::size_t matrices = p.a.shape()[0], heads = matrices / static_cast<std::size_t>(sequences);
    const std::size_t rows = p.rows.most, columns = p.columns.most;
    assert(p.b.shape()[0] == matrices);
    Tensor3 out = tensor3(matrices, rows, columns);
    const bool turned_a = p.transpose_a == Transpose::yes, turned_b = p.transpose_b == Transpose::yes;
    const std::size_t a_width = p.a.shape()[2], b_width = p.b.shape()[2];
    const auto multiply_small = row_kernels().multiply;
    for (std::size_t matrix = 0; matrix < matrices; ++matrix) {
        const std::size_t sequence = matrix / heads, m = p.rows.of(sequence), n = p.columns.of(sequence);
        float* const c = &out(matrix, 0, 0);
        multiply_small({.a = &p.a(matrix, 0, 0),
                        .a_row = turned_a ? 1 : a_width,
                        .a_column = turned_a ? a_width : 1,
                        .b = &p.b(matrix, 0, 0),
                        .b_row = turned_b ? 1 : b_width,
                        .b_column = turned_b ? b_width : 1,
                        .c = c,
                        .c_row = columns,
                        .rows = m,
                        .columns = n,
                        .inner = p.inner.of(sequence),
                        .alpha = p.alpha});
        if (n < columns)
            for (std::size_t row = 0; row < m; ++row) std::fill(c + row * columns + n, c + (row + 1) * columns, 0.0F);
        std::fill(c + m * columns, c + rows * columns, 0.0F);
    }
    return out;
}

}  // namespace vitrine
