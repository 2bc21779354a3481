#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/tensor/product.h"

namespace vitrine {

// Which way multiplies a product fastest, as measured: product_table.inc, which `./dev products` makes anew.

enum class ProductWay { library, panels };

struct ProductShape {
    ProductKind kind;
    std::size_t rows, columns, inner;
};

/// The fastest way for the library of this build and the vectors in use: that of the measured shape of its kind whose
/// sizes are nearest by ratio. Panels where nothing was measured.
ProductWay way_of(const ProductShape& shape);

/// While it lives, every product that begins goes one way, as far as the library has kernels: for measurements.
class OnlyWay {
public:
    explicit OnlyWay(ProductWay way);
    ~OnlyWay();
    OnlyWay(const OnlyWay&) = delete;
    OnlyWay& operator=(const OnlyWay&) = delete;
};

/// A checksum of what the table says for this library and these vectors.
std::string product_table_name();

/// The shapes that are measured: layers of ViT-Ti, S and B at 224 pixels, of what learns here, updates by Muon, heads.
std::span<const ProductShape> measured_shapes();

}  // namespace vitrine
