#pragma once

#include "core/tensor/parameter.h"
#include "core/tensor/tensor.h"

namespace vitrine {

// The operations of a Transformer: pure functions, tensors in, tensors out. Rows are tokens (of all sequences).

/// y = x Wᵀ + b      x (rows, in)  ->  (rows, out)
Tensor2 linear(const LinearWeights& weights, const Tensor2& x);

/// A layer norm's statistics and result, per row.
struct LayerNormTrace {
    Tensor1 mean;  // (B·N)  μ
    Tensor1 var;   // (B·N)  σ², population variance
    Tensor2 out;   // (B·N, D)
};

/// LN(a)_i = γ_i (a_i − μ) / √(σ² + ε) + β_i with the population variance, per row (Ba et al. 2016).
LayerNormTrace layer_norm(const LayerNormWeights& weights, const Tensor2& x, float epsilon);

/// Mean and population variance of every row; `out` stays empty.
LayerNormTrace row_statistics(const Tensor2& x);

/// Each row of the last axis becomes e^{s − max} / Σ. A row of equal scores, however large, is uniform.
Tensor3 softmax(const Tensor3& scores);
Tensor2 softmax(const Tensor2& logits);

/// The activation of every element. GELU(x) = x Φ(x), exact by erf unless the checkpoint asks for an approximation.
Tensor2 activate(Activation activation, const Tensor2& x);
float activate(Activation activation, float x);

/// f'(x) · dy for every element: the gradient through the activation. x, dy (rows, M) -> (rows, M)
Tensor2 activate_back(Activation activation, const Tensor2& x, const Tensor2& dy);

/// A ⊙ (dA − Σ_j dA_j A_j), row by row: the gradient through the softmax. A = softmax(S), dA (B·h, N, N) -> dS
Tensor3 softmax_back(const Tensor3& attention, const Tensor3& gradient);

/// The activation's derivative; at the corner of a ReLU the slope from the left, as in PyTorch.
float activation_slope(Activation activation, float x);

/// Φ(x), the share of a standard normal distribution below x.
double normal_cdf(double x);

/// (B·N, D) -> (B·h, N, d): head i takes the columns i·d … (i + 1)·d of every token. For packed sentences N is the
/// length of the longest one; shorter ones are padded with zeros.
Tensor3 split_heads(const Tensor2& x, Batch batch, int heads);

/// (B·h, N, d) -> (B·N, D): the concatenation [head 0; head 1; …] of Eq. 8 in the ViT paper's appendix.
Tensor2 merge_heads(const Tensor3& heads, Batch batch);

/// QKᵀ / √d for every head.      q (B·h, N, d), k (B·h, N_k, d)  ->  (B·h, N, N_k)  [head, query, key]
Tensor3 attention_scores(const Tensor3& q, const Tensor3& k);

/// attention · V for every head.      (B·h, N, N_k), (B·h, N_k, d)  ->  (B·h, N, d)
Tensor3 weighted_values(const Tensor3& attention, const Tensor3& v);

/// a ⊙ b, element by element.
Tensor2 times(const Tensor2& a, const Tensor2& b);

/// a + b, element by element.
Tensor2 add(const Tensor2& a, const Tensor2& b);

}  // namespace vitrine
