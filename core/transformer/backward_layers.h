#pragma once

#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

inline std::size_t rows_of(const Tensor2& x) { return x.shape()[0]; }
inline std::size_t columns_of(const Tensor2& x) { return x.shape()[1]; }

inline MatrixView view(const Tensor2& x) { return {x.data(), rows_of(x), columns_of(x), columns_of(x)}; }
inline MatrixView view(const Parameter& w) { return {w.data(), w.shape()[0], w.shape()[1], w.shape()[1]}; }
/// A stack of matrices, one for each head.
inline MatrixView view(const Tensor3& x) { return {x.data(), x.shape()[1], x.shape()[2], x.shape()[2]}; }

/// sum += x, element by element.
void add_to(Tensor2& sum, const Tensor2& x);

// The backward pass of linear layers and layer norms. It overwrites the gradients of parameters; a parameter that is
// empty in `into` gets none.

/// Backward of y = x Wᵀ + b: ∂W = ∂yᵀ x, ∂b = Σ rows of ∂y.
void weight_gradients(const LinearWeights& into, FlatNumbers& gradients, const Tensor2& x, const Tensor2& dy);

/// dx = ∂y W, or dx += ∂y W for Into::sum.
void input_gradient(const LinearWeights& w, const Tensor2& dy, Tensor2& dx, Product::Into into = Product::Into::empty);

/// Both of the above. x (rows, inputs), dy (rows, outputs) -> ∂x (rows, inputs)
Tensor2 linear_back(const LinearWeights& w, const LinearWeights& into, FlatNumbers& gradients, const Tensor2& x,
                    const Tensor2& dy);

/// A layer norm for the backward pass: its parameters, the destination of their gradients, its statistics and input x.
struct NormBack {
    const LayerNormWeights& weights;
    const LayerNormWeights& into;
    const LayerNormTrace& trace;
    const Tensor2& x;
    float epsilon;
};

/// ∂x = (γ∂y − mean(γ∂y) − x̂ mean(γ∂y x̂)) / √(σ² + ε) with x̂ = (x − μ)/√(σ² + ε);  ∂γ = Σ ∂y x̂,  ∂β = Σ ∂y.
Tensor2 norm_back(const NormBack& n, FlatNumbers& gradients, const Tensor2& dy);

}  // namespace vitrine
