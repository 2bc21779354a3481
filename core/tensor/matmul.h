#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/tensor/parameter.h"

namespace vitrine {

class PackedWeights;

/// What multiplies matrices here, and its version: "oneDNN 2.6.3, AVX-512". Chosen by -DVITRINE_MATMUL.
std::string product_library();

/// A row-major matrix in memory; `stride` is the distance between its rows.
struct MatrixView {
    const float* data = nullptr;
    std::size_t rows = 0, columns = 0;
    std::size_t stride = 0;
};

enum class Transpose { no, yes };

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

/// C row-major and contiguous.
void multiply(const Product& product, float* c);

/// W (out, in) and b (out), laid out once as the library multiplies fastest. Doubles the memory of a weight, saves 5 %.
class PackedLinear {
public:
    /// Which layout is best depends on the number of rows only in that it must be more than a few.
    explicit PackedLinear(const LinearWeights& weights, std::size_t typical_rows = 197);
    ~PackedLinear();
    PackedLinear(const PackedLinear&) = delete;
    PackedLinear& operator=(const PackedLinear&) = delete;

    /// y = x Wᵀ + b      x (rows, in)  ->  y (rows, out)
    void apply(const float* x, std::size_t rows, float* y) const;

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }

private:
    std::size_t inputs_, outputs_;
    std::unique_ptr<PackedWeights> weights_;
};

}  // namespace vitrine
