#pragma once

#include <memory>
#include <string>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Lower bound for a pass: only its matrix products, in order, on the numbers of a finished trace, by the fastest way
/// available: one of this build's, or OpenBLAS if it is installed.
class ProductBound {
public:
    ProductBound(const Model& model, const Trace& trace, const Tensor2& patches);
    ~ProductBound();
    ProductBound(const ProductBound&) = delete;
    ProductBound& operator=(const ProductBound&) = delete;

    /// Milliseconds for all products once.
    double lap() const;

    /// Name of the fastest way: "oneDNN 2.6.3, AVX2", "panels, x86-64-v3", "OpenBLAS, Haswell".
    const std::string& name() const;

    /// A way to compute all products of a pass.
    class Way;

private:
    std::unique_ptr<Way> fastest_;
};

}  // namespace vitrine
