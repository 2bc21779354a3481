#pragma once

#include <cstddef>

namespace vitrine {

/// A row-major matrix in memory; `stride` is the distance between its rows.
struct MatrixView {
    const float* data = nullptr;
    std::size_t rows = 0, columns = 0;
    std::size_t stride = 0;
};

enum class Transpose { no, yes };

/// How the matrices of a product lie.
enum class ProductKind {
    packed,  ///< B laid out once, for many products
    stored,  ///< B as it is stored
    varied,  ///< as it is stored, in other sizes each time
    stack,   ///< many small products of a size
};

/// C = α · op(A) · op(B) + bias, or C += that; op transposes the matrix as it is stored or leaves it.
struct Product {
    enum class Into { empty, sum };

    MatrixView a, b;
    Transpose transpose_a = Transpose::no, transpose_b = Transpose::no;
    float alpha = 1.0F;
    Into into = Into::empty;
    const float* bias = nullptr;  // of C's columns, or none; α does not touch it
    std::size_t count = 1;        // so many products, their matrices one behind another in a, b and c
    bool varied = false;          // whether the next one like it has other sizes: nothing is compiled for these
};

}  // namespace vitrine
