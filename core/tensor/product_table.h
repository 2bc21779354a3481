#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/tensor/product.h"

namespace vitrine {

// Which way computes a product fastest, as measured in product_table.inc, which `./dev products` writes.

enum class ProductWay { library, panels };

struct ProductShape {
    ProductKind kind;
    std::size_t rows, columns, inner;
};

/// The fastest way with this build's library and the vector unit in use: that of the measured shape of the same kind
/// with the nearest sizes by ratio. Panels if no such shape was measured.
ProductWay way_of(const ProductShape& shape);

/// For measurements: while this object lives, every new product uses one way, as far as the library has kernels.
class OnlyWay {
public:
    explicit OnlyWay(ProductWay way);
    ~OnlyWay();
    OnlyWay(const OnlyWay&) = delete;
    OnlyWay& operator=(const OnlyWay&) = delete;
};

/// A checksum of the table's rows for this library and vector unit.
std::string product_table_name();

/// The shapes to measure: layers of ViT-Ti, S and B at 224 pixels, of the models trained here, Muon's updates, and
/// heads.
std::span<const ProductShape> measured_shapes();

}  // namespace vitrine
