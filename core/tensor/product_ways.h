#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/parameter.h"
#include "core/tensor/product.h"

namespace vitrine {

// The ways to compute a product: a library (one of the files matmul_*.cpp) and our own panels. They run on the calling
// thread alone; matmul.cpp splits a product among threads by the way that product_table.h chooses.

/// Matrices in memory; consecutive ones begin `distance` apart.
struct MatrixStack {
    MatrixView matrix;
    std::size_t distance = 0;
};

/// Some matrices, rows or columns of a product: C = α · op(A) · op(B) + bias for `count` matrices, or C += the same.
struct ProductPart {
    MatrixStack a, b;
    Transpose transpose_a, transpose_b;
    float alpha;
    Product::Into into;
    const float* bias;
    std::size_t count;
    ProductKind kind;  // of the whole product, however small this part is
    std::size_t c_stride, c_distance;

    std::size_t rows() const { return transpose_a == Transpose::yes ? a.matrix.columns : a.matrix.rows; }
    std::size_t columns() const { return transpose_b == Transpose::yes ? b.matrix.rows : b.matrix.columns; }
    std::size_t inner() const { return transpose_a == Transpose::yes ? a.matrix.rows : a.matrix.columns; }
};

/// Weights in the layout of one of the ways.
class PackedWeights {
public:
    PackedWeights() = default;
    virtual ~PackedWeights() = default;
    PackedWeights(const PackedWeights&) = delete;
    PackedWeights& operator=(const PackedWeights&) = delete;

    /// y = x Wᵀ + b for `rows` rows.
    virtual void apply(const float* x, std::size_t rows, float* y) const = 0;
    /// Writes the original W (out, in), row by row.
    virtual void unpack(float* stored) const = 0;
};

/// The names of the kernels that this process has used; `note_kernel` adds one.
std::vector<std::string> noted_kernels();
void note_kernel(const std::string& name);

namespace by_library {

/// "oneDNN 2.6.3, AVX2"
std::string name();
/// False, with nothing computed, if the library would use its reference kernel, which is a hundred times slower.
bool multiply(const ProductPart& part, float* c);
/// Null if the library would use its reference kernel.
std::unique_ptr<PackedWeights> pack(const LinearWeights& weights, std::size_t typical_rows);

}  // namespace by_library

namespace by_panels {

void multiply(const ProductPart& part, float* c);
std::unique_ptr<PackedWeights> pack(const LinearWeights& weights);

}  // namespace by_panels

}  // namespace vitrine
