#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/tensor/parameter.h"
#include "core/tensor/product.h"

namespace vitrine {

class PackedWeights;

/// Name of this build's matrix products: the library (-DVITRINE_MATMUL) with its version and vector instructions, our
/// own panels, and the table that chooses between them: "oneDNN 2.6.3, AVX2; panels, x86-64-v3; table 1c93f0a2". With
/// the same name, number of threads and machine, results are the same to the bit.
std::string product_library();

/// The names of the kernels that this process has used for products: "oneDNN brg:avx512_core", "panels x86-64-v3". A
/// library's slow reference kernels are never used.
std::vector<std::string> product_kernels();

/// Computes a product, or several, into `c`, which is row-major and contiguous.
void multiply(const Product& product, float* c);

/// W (out, in) and b (out), packed once for the kernel that multiplies them fastest.
class PackedLinear : public PackedMatrix {
public:
    /// `typical_rows` (197: the tokens of a ViT-B/16 at 224 pixels) guides the choice of a layout; `apply` takes any
    /// number of rows.
    explicit PackedLinear(const LinearWeights& weights, std::size_t typical_rows = 197);
    ~PackedLinear() override;

    /// y = x Wᵀ + b      x (rows, in)  ->  y (rows, out)
    void apply(const float* x, std::size_t rows, float* y) const;

    /// W, unpacked. The matrices requested last, 64 MiB over all weights, stay cached; others live as long as somebody
    /// holds them.
    std::shared_ptr<const float> stored() const override;

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }

private:
    std::size_t inputs_, outputs_;
    std::unique_ptr<PackedWeights> weights_;
    mutable std::mutex mutex_;
    mutable std::weak_ptr<const float> last_stored_;
};

}  // namespace vitrine
