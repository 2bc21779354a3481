#pragma once

#include <memory>
#include <string>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Lower bound for the time of a forward pass: its matrix products alone, in order, on the numbers of a finished trace,
/// with the fastest implementation available: one of this build's, or OpenBLAS if it is installed.
class ProductBound {
public:
    ProductBound(const Model& model, const Trace& trace, const Tensor2& patches);
    ~ProductBound();
    ProductBound(const ProductBound&) = delete;
    ProductBound& operator=(const ProductBound&) = delete;

    /// Computes all products once; returns milliseconds.
    double lap() const;

    /// Name of the fastest implementation: "oneDNN 2.6.3, AVX2", "panels, x86-64-v3", "OpenBLAS, Haswell".
    const std::string& name() const;

    /// An implementation of all products of a pass.
    class Way;

private:
    std::unique_ptr<Way> fastest_;
};

}  // namespace vitrine
