#include "core/tensor/product_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "core/base/sha256.h"
#include "core/tensor/product_ways.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

struct MeasuredRow {
    std::string_view library;
    int level;
    ProductShape shape;
    ProductWay way;
};

constexpr MeasuredRow measured_rows[] = {
#include "core/tensor/product_table.inc"
};

constexpr ProductShape shapes[] = {
    {ProductKind::packed, 197, 192, 192},  {ProductKind::packed, 197, 768, 192},  {ProductKind::packed, 197, 192, 768},
    {ProductKind::packed, 197, 384, 384},  {ProductKind::packed, 197, 1536, 384}, {ProductKind::packed, 197, 384, 1536},
    {ProductKind::packed, 197, 768, 768},  {ProductKind::packed, 197, 3072, 768}, {ProductKind::packed, 197, 768, 3072},
    {ProductKind::packed, 197, 96, 96},    {ProductKind::packed, 197, 384, 96},   {ProductKind::packed, 197, 96, 384},
    {ProductKind::stored, 64, 64, 64},     {ProductKind::stored, 96, 96, 96},     {ProductKind::stored, 128, 128, 128},
    {ProductKind::stored, 64, 256, 64},    {ProductKind::stored, 96, 384, 96},    {ProductKind::stored, 64, 64, 256},
    {ProductKind::stored, 96, 96, 384},    {ProductKind::stored, 1040, 64, 64},   {ProductKind::stored, 1040, 256, 64},
    {ProductKind::stored, 1040, 64, 256},  {ProductKind::stored, 64, 256, 1040},  {ProductKind::stored, 64, 64, 1040},
    {ProductKind::stored, 96, 384, 1040},  {ProductKind::stored, 4096, 32, 288},  {ProductKind::stored, 197, 768, 768},
    {ProductKind::stored, 197, 3072, 768}, {ProductKind::stored, 197, 768, 3072}, {ProductKind::varied, 300, 64, 64},
    {ProductKind::varied, 300, 256, 64},   {ProductKind::varied, 300, 64, 256},   {ProductKind::varied, 64, 256, 300},
    {ProductKind::varied, 64, 64, 300},    {ProductKind::varied, 300, 600, 64},   {ProductKind::varied, 10, 64, 64},
    {ProductKind::stack, 197, 197, 64},    {ProductKind::stack, 197, 64, 197},    {ProductKind::stack, 65, 65, 16},
    {ProductKind::stack, 65, 16, 65},      {ProductKind::stack, 65, 65, 32},      {ProductKind::stack, 65, 32, 65},
    {ProductKind::stack, 1370, 1370, 64},  {ProductKind::stack, 1370, 64, 1370},
};

constexpr int as_measured = -1;
std::atomic<int> only_way = as_measured;

/// The library's name without its version.
std::string_view library_name() {
    static const std::string name = by_library::name();
    return std::string_view(name).substr(0, name.find(' '));
}

bool applies(const MeasuredRow& row) { return row.level == row_kernels().level && row.library == library_name(); }

/// Distance of two sizes: eight times the binary logarithm of their ratio, approximated with integers only.
int distance_between(std::size_t a, std::size_t b) {
    const auto eighths = [](std::size_t n) {
        const int whole = std::bit_width(n) - 1;
        const std::size_t rest = whole >= 3 ? n >> (whole - 3) : n << (3 - whole);
        return 8 * whole + static_cast<int>(rest & 7U);
    };
    return std::abs(eighths(a) - eighths(b));
}

int distance_between(const ProductShape& a, const ProductShape& b) {
    return distance_between(a.rows, b.rows) + distance_between(a.columns, b.columns) +
           distance_between(a.inner, b.inner);
}

/// The table's rows for this library and vector unit.
std::span<const MeasuredRow> rows_here() {
    static const std::span<const MeasuredRow> rows = [] {
        const auto* const first = std::find_if(std::begin(measured_rows), std::end(measured_rows), applies);
        return std::span(first, std::find_if_not(first, std::end(measured_rows), applies));
    }();
    return rows;
}

}  // namespace

OnlyWay::OnlyWay(ProductWay way) { only_way = static_cast<int>(way); }

OnlyWay::~OnlyWay() { only_way = as_measured; }

ProductWay way_of(const ProductShape& shape) {
    if (const int way = only_way; way != as_measured) return static_cast<ProductWay>(way);
    const MeasuredRow* nearest = nullptr;
    int least = 0;
    for (const MeasuredRow& row : rows_here()) {
        if (row.shape.kind != shape.kind) continue;
        const int distance = distance_between(row.shape, shape);
        if (nearest == nullptr || distance < least) nearest = &row, least = distance;
    }
    return nearest != nullptr ? nearest->way : ProductWay::panels;
}

std::string product_table_name() {
    std::string words;
    for (const MeasuredRow& row : rows_here())
        for (const std::size_t n : {static_cast<std::size_t>(row.shape.kind), row.shape.rows, row.shape.columns,
                                    row.shape.inner, static_cast<std::size_t>(row.way)})
            words += std::to_string(n) + ' ';
    return sha256(words).substr(0, 8);
}

std::span<const ProductShape> measured_shapes() { return shapes; }

}  // namespace vitrine
