#pragma once

#include <memory>
#include <string>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// The matrix products of a pass and nothing else, in order, on the numbers of a finished trace, by what multiplies
/// them fastest of all that there is: the ways of this build, and OpenBLAS where it is installed.
class ProductBound {
public:
    ProductBound(const Model& model, const Trace& trace, const Tensor2& patches);
    ~ProductBound();
    ProductBound(const ProductBound&) = delete;
    ProductBound& operator=(const ProductBound&) = delete;

    /// Milliseconds of all products once.
    double lap() const;

    /// What the fastest is called: "oneDNN 2.6.3, AVX2", "panels, x86-64-v3", "OpenBLAS, Haswell".
    const std::string& name() const;

    /// One way to multiply all of a pass.
    class Way;

private:
    std::unique_ptr<Way> fastest_;
};

}  // namespace vitrine
