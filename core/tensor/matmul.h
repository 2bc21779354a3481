#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/parameter.h"
#include "core/tensor/product.h"

namespace vitrine {

class PackedWeights;

/// What multiplies matrices here: the library of this build (-DVITRINE_MATMUL) with its version and vectors, the panels
/// of our own, and the table that chooses between them: "oneDNN 2.6.3, AVX2; panels, x86-64-v3; table 1c93f0a2".
/// The same text, threads and machine mean the same bits.
std::string product_library();

/// The kernels that products of this process have been compiled for, by name: "oneDNN brg:avx512_core",
/// "panels x86-64-v3". None is a library's reference kernel.
std::vector<std::string> product_kernels();

/// C row-major and contiguous.
void multiply(const Product& product, float* c);

/// W (out, in) and b (out), laid out once for the way that multiplies them fastest. Doubles the memory of a weight.
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
