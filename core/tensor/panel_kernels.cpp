// Products by panels with row kernels as inner loops: compiled for every vector unit, like core/tensor/row_kernels.cpp.

#include <xsimd/xsimd.hpp>

#include "core/tensor/rows.h"

namespace vitrine {

extern const PanelKernels VITRINE_PANELS;

namespace {

using Lanes = xsimd::batch<float>;
constexpr std::size_t lane_count = Lanes::size;

// A panel of B is two vectors wide and at most panel_depth rows deep. All rows of A are multiplied by it, in tiles of
// as many rows as there are registers for their sums.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr std::size_t tile_rows = 12;  // 32 registers
#else
constexpr std::size_t tile_rows = 6;  // 16 registers
#endif
constexpr std::size_t panel_columns = 2 * lane_count;
constexpr std::size_t narrow_panels = 4;  // few enough panels to read the rows of A in place
static_assert(panel_columns <= widest_panel && panel_block_rows % tile_rows == 0);

/// Some rows of A, a panel of B, and the tile of C to which their product is added. `bias`: null after the first panel.
struct Tile {
    const float* a;
    std::size_t a_row, a_column;
    const float* b;
    std::size_t b_row;
    float* c;
    std::size_t c_row;
    std::size_t columns, inner;
    float alpha;
    const float* bias;
    bool adds;
};

/// Packed rows of A have the constant stride tile_rows, known to the compiler.
enum class Rows { packed, strided };

template <std::size_t rows, std::size_t vectors, Rows layout>
[[gnu::flatten]] void multiply_tile(const Tile& t) {
    const std::size_t a_row = layout == Rows::packed ? 1 : t.a_row;
    const std::size_t a_column = layout == Rows::packed ? tile_rows : t.a_column;
    Lanes sums[rows][vectors];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < rows; ++i)
#pragma GCC unroll 2
        for (std::size_t j = 0; j < vectors; ++j) sums[i][j] = Lanes(0.0F);
            // C's rows are far apart, so hardware prefetching misses them.
#pragma GCC unroll 16
    for (std::size_t i = 0; i < rows; ++i) __builtin_prefetch(t.c + i * t.c_row, 1);
    const float *a = t.a, *b = t.b;
    for (std::size_t k = 0; k < t.inner; ++k, a += a_column, b += t.b_row) {
        Lanes row_of_b[vectors];
#pragma GCC unroll 2
        for (std::size_t j = 0; j < vectors; ++j) row_of_b[j] = Lanes::load_unaligned(b + j * lane_count);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i) {
            const Lanes x(a[i * a_row]);
#pragma GCC unroll 2
            for (std::size_t j = 0; j < vectors; ++j) sums[i][j] = xsimd::fma(x, row_of_b[j], sums[i][j]);
        }
    }
    const Lanes alpha(t.alpha);
    if (t.columns == vectors * lane_count) {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < vectors; ++j) {
                float* const c = t.c + i * t.c_row + j * lane_count;
                Lanes sum = alpha * sums[i][j];
                if (t.bias != nullptr) sum += Lanes::load_unaligned(t.bias + j * lane_count);
                if (t.adds) sum += Lanes::load_unaligned(c);
                sum.store_unaligned(c);
            }
        return;
    }
    alignas(64) float part[rows][vectors * lane_count];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < vectors; ++j) (alpha * sums[i][j]).store_aligned(part[i] + j * lane_count);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < t.columns; ++j) {
            float& c = t.c[i * t.c_row + j];
            const float sum = part[i][j] + (t.bias != nullptr ? t.bias[j] : 0.0F);
            c = t.adds ? c + sum : sum;
        }
}

template <std::size_t most, Rows layout>
void multiply_some(const Tile& t, std::size_t rows) {
    if (rows == most)
        return t.columns > lane_count ? multiply_tile<most, 2, layout>(t) : multiply_tile<most, 1, layout>(t);
    if constexpr (most > 1) multiply_some<most - 1, layout>(t, rows);
}

typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));  // clang drops an alias's alignment
static_assert(alignof(Four) == alignof(float));

/// out(k, i) = in(i, k); `in` has the stride distance, `out` the stride width.
[[gnu::flatten]] void transpose(const float* in, std::size_t distance, std::size_t rows, std::size_t depth, float* out,
                                std::size_t width) {
    std::size_t k = 0;
    for (; k + 4 <= depth; k += 4) {
        std::size_t i = 0;
        for (; i + 4 <= rows; i += 4) {
            const float* const from = in + i * distance + k;
            const Four a = *reinterpret_cast<const Four*>(from), b = *reinterpret_cast<const Four*>(from + distance);
            const Four c = *reinterpret_cast<const Four*>(from + 2 * distance);
            const Four d = *reinterpret_cast<const Four*>(from + 3 * distance);
            const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                       ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
            const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                       cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
            float* const to = out + k * width + i;
            *reinterpret_cast<Four*>(to) = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
            *reinterpret_cast<Four*>(to + width) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
            *reinterpret_cast<Four*>(to + 2 * width) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
            *reinterpret_cast<Four*>(to + 3 * width) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
        }
        for (; i < rows; ++i)
            for (std::size_t j = 0; j < 4; ++j) out[(k + j) * width + i] = in[i * distance + k + j];
    }
    for (; k < depth; ++k)
        for (std::size_t i = 0; i < rows; ++i) out[k * width + i] = in[i * distance + k];
}

/// out(k, i) = in(k, i); `in` has the stride distance, `out` the stride width.
template <std::size_t width>
void copy(const float* in, std::size_t distance, std::size_t columns, std::size_t depth, float* out) {
    if (columns == width) {
        for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t i = 0; i < width; ++i) out[k * width + i] = in[k * distance + i];
        return;
    }
    for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t i = 0; i < columns; ++i) out[k * width + i] = in[k * distance + i];
}

/// Packs one panel, with zeros for columns beyond B's last.
void pack_panel(const PanelSource& s, std::size_t row, std::size_t depth, std::size_t column, float* out) {
    const std::size_t width = s.columns - column < panel_columns ? s.columns - column : panel_columns;
    const float* const b = s.b + row * s.b_row + column * s.b_column;
    if (s.b_column == 1)
        copy<panel_columns>(b, s.b_row, width, depth, out);
    else
        transpose(b, s.b_column, width, depth, out, panel_columns);
    for (std::size_t k = 0; width < panel_columns && k < depth; ++k)
        for (std::size_t j = width; j < panel_columns; ++j) out[k * panel_columns + j] = 0.0F;
}

std::size_t panel_count(std::size_t columns) { return (columns + panel_columns - 1) / panel_columns; }

std::size_t packed_size(std::size_t inner, std::size_t columns) { return inner * panel_count(columns) * panel_columns; }

void pack_panels(const PanelSource& source, float* panels) {
    for (std::size_t row = 0; row < source.inner; row += panel_depth) {
        const std::size_t depth = source.inner - row < panel_depth ? source.inner - row : panel_depth;
        for (std::size_t column = 0; column < source.columns; column += panel_columns, panels += depth * panel_columns)
            pack_panel(source, row, depth, column, panels);
    }
}

void unpack_panels(const float* panels, std::size_t inner, std::size_t columns, float* transposed) {
    for (std::size_t row = 0; row < inner; row += panel_depth) {
        const std::size_t depth = inner - row < panel_depth ? inner - row : panel_depth;
        for (std::size_t column = 0; column < columns; column += panel_columns, panels += depth * panel_columns) {
            const std::size_t width = columns - column < panel_columns ? columns - column : panel_columns;
            transpose(panels, panel_columns, depth, width, transposed + column * inner + row, inner);
        }
    }
}

/// Packs rows of A tile by tile, each tile column by column.
void pack_rows(const float* a, std::size_t a_row, std::size_t a_column, std::size_t rows, std::size_t depth,
               float* out) {
    for (std::size_t row = 0; row < rows; row += tile_rows, a += tile_rows * a_row, out += depth * tile_rows) {
        const std::size_t count = rows - row < tile_rows ? rows - row : tile_rows;
        if (a_column == 1)
            transpose(a, a_row, count, depth, out, tile_rows);
        else
            copy<tile_rows>(a, a_column, count, depth, out);
    }
}

/// A block of A: `rows` rows from `row` on, `depth` columns from `k` on. It is multiplied by B's rows from `k` on, and
/// the product is added to C's rows from `row` on.
struct Block {
    const float* a;
    std::size_t a_row, a_column;
    std::size_t row, rows, k, depth;
};

Tile tile_of(const PanelProduct& p, const Block& block, std::size_t row, std::size_t column) {
    return {.a = block.a + row * block.a_row,
            .a_row = block.a_row,
            .a_column = block.a_column,
            .b = nullptr,
            .b_row = panel_columns,
            .c = p.c + (block.row + row) * p.c_row + column,
            .c_row = p.c_row,
            .columns = p.columns - column < panel_columns ? p.columns - column : panel_columns,
            .inner = block.depth,
            .alpha = p.alpha,
            .bias = p.bias != nullptr && block.k == 0 ? p.bias + column : nullptr,
            .adds = p.adds || block.k > 0};
}

/// Panel n of these rows of B: packed in advance, or packed now into `room`.
const float* panel_of(const PanelProduct& p, const Block& block, std::size_t n, float* room) {
    if (p.panels != nullptr) return p.panels + (block.k * panel_count(p.columns) + n * block.depth) * panel_columns;
    pack_panel({p.b, p.b_row, p.b_column, p.inner, p.columns}, block.k, block.depth, n * panel_columns, room);
    return room;
}

/// Prefetches numbers: packed weights are mostly not cached.
void fetch(const float* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 64 / sizeof(float)) __builtin_prefetch(numbers + i, 0, 2);
}

/// Many panels: packs the rows of A and multiplies all of them by one panel while it is in the L1 cache.
void multiply_wide(const PanelProduct& p, const Block& block) {
    float *const packed = p.scratch, *const room = p.scratch + panel_depth * panel_block_rows;
    pack_rows(block.a, block.a_row, block.a_column, block.rows, block.depth, packed);
    const std::size_t panels = panel_count(p.columns), panel_size = block.depth * panel_columns;
    const std::size_t share = (panel_size * tile_rows + block.rows - 1) / block.rows;  // of the next panel, per tile
    for (std::size_t n = 0; n < panels; ++n) {
        const float* const panel = panel_of(p, block, n, room);
        const bool fetches = p.panels != nullptr && n + 1 < panels;
        for (std::size_t row = 0; row < block.rows; row += tile_rows) {
            if (fetches) fetch(panel + panel_size + row / tile_rows * share, share);
            Tile t = tile_of(p, block, row, n * panel_columns);
            t.a = packed + row * block.depth;
            t.b = panel;
            multiply_some<tile_rows, Rows::packed>(t, block.rows - row < tile_rows ? block.rows - row : tile_rows);
        }
    }
}

/// A few panels, all packed: reads a tile of A in place and multiplies it by all of them.
void multiply_narrow(const PanelProduct& p, const Block& block) {
    const float* panels[narrow_panels];
    const std::size_t count = panel_count(p.columns);
    for (std::size_t n = 0; n < count; ++n)
        panels[n] = panel_of(p, block, n, p.scratch + n * panel_depth * panel_columns);
    for (std::size_t row = 0; row < block.rows; row += tile_rows)
        for (std::size_t n = 0; n < count; ++n) {
            Tile t = tile_of(p, block, row, n * panel_columns);
            t.b = panels[n];
            multiply_some<tile_rows, Rows::strided>(t, block.rows - row < tile_rows ? block.rows - row : tile_rows);
        }
}

/// A few rows: reads A and B in place; packs only those panels of B that are incomplete or strided.
void multiply_flat(const PanelProduct& p, const Block& block) {
    for (std::size_t n = 0; n < panel_count(p.columns); ++n) {
        Tile t = tile_of(p, block, 0, n * panel_columns);
        if (p.panels == nullptr && p.b_column == 1 && t.columns == panel_columns) {
            t.b = p.b + block.k * p.b_row + n * panel_columns;
            t.b_row = p.b_row;
        } else {
            t.b = panel_of(p, block, n, p.scratch);
        }
        multiply_some<tile_rows, Rows::strided>(t, block.rows);
    }
}

void multiply_panels(const PanelProduct& p) {
    for (std::size_t k = 0; k < p.inner; k += panel_depth)
        for (std::size_t row = 0; row < p.rows; row += panel_block_rows) {
            const Block block{.a = p.a + row * p.a_row + k * p.a_column,
                              .a_row = p.a_row,
                              .a_column = p.a_column,
                              .row = row,
                              .rows = p.rows - row < panel_block_rows ? p.rows - row : panel_block_rows,
                              .k = k,
                              .depth = p.inner - k < panel_depth ? p.inner - k : panel_depth};
            if (block.rows <= tile_rows)
                multiply_flat(p, block);
            else if (panel_count(p.columns) <= narrow_panels)
                multiply_narrow(p, block);
            else
                multiply_wide(p, block);
        }
}

}  // namespace

const PanelKernels VITRINE_PANELS = {
    .multiply = multiply_panels, .packed_size = packed_size, .pack = pack_panels, .unpack = unpack_panels};

}  // namespace vitrine
