#pragma once

#include <cstddef>
#include <memory>

#include "core/tensor/matmul.h"

namespace vitrine {

// What a library of products has to give; one of the files matmul_*.cpp gives it. All of it runs on the calling thread
// alone: a product is dealt out in matmul_parts.cpp.

/// Matrices in memory, the first numbers of two of them `distance` apart.
struct MatrixStack {
    MatrixView matrix;
    std::size_t distance = 0;
};

/// Some matrices, rows or columns of a product: C = α · op(A) · op(B) + bias for `count` matrices, or C += that.
struct ProductPart {
    MatrixStack a, b;
    Transpose transpose_a, transpose_b;
    float alpha;
    Product::Into into;
    const float* bias;
    std::size_t count;
    bool varied;  // whether the next part like it has other sizes
    std::size_t c_stride, c_distance;

    std::size_t rows() const { return transpose_a == Transpose::yes ? a.matrix.columns : a.matrix.rows; }
    std::size_t columns() const { return transpose_b == Transpose::yes ? b.matrix.rows : b.matrix.columns; }
    std::size_t inner() const { return transpose_a == Transpose::yes ? a.matrix.rows : a.matrix.columns; }
};

void multiply_part(const ProductPart& part, float* c);

/// Weights as the library likes them.
class PackedWeights {
public:
    PackedWeights(const LinearWeights& weights, std::size_t typical_rows);
    ~PackedWeights();
    PackedWeights(const PackedWeights&) = delete;
    PackedWeights& operator=(const PackedWeights&) = delete;

    /// y = x Wᵀ + b for so many rows.
    void apply(const float* x, std::size_t rows, float* y) const;

private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

}  // namespace vitrine
