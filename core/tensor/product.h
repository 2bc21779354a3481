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

/// How the matrices of a product are stored.
enum class ProductKind {
    packed,  // B packed once, for many products
    stored,  // B as it is stored
    varied,  // B as it is stored, with other sizes each time
    stack,   // many small products of one size
};

/// C = α · op(A) · op(B) + bias, or C += the same; op transposes the stored matrix or leaves it.
struct Product {
    enum class Into { empty, sum };

    MatrixView a, b;
    Transpose transpose_a = Transpose::no, transpose_b = Transpose::no;
    float alpha = 1.0F;
    Into into = Into::empty;
    const float* bias = nullptr;  // one number for each column of C, or none; not multiplied by α
    std::size_t count = 1;        // number of products; their matrices are consecutive in a, b and c
    bool varied = false;          // the next product will have other sizes, so do not compile a kernel for these
};

}  // namespace vitrine
