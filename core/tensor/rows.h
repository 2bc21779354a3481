#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor/parameter.h"

namespace vitrine {

// Loops along rows of numbers, compiled for several vector units; the best one that this machine supports is chosen
// once. Rows need no alignment; `in` and `out` do not overlap unless stated.

struct RowMoments {
    float mean, variance;  // population variance
};

/// A row, its statistics and the learned parameters: γ (x − μ) f + β with f = 1 / √(σ² + ε).
struct NormRow {
    const float* x;
    const float* gamma;
    const float* beta;
    float mean, factor;
};

/// A row of a layer norm's gradient, and the sums for its parameters' gradients.
struct NormBackRow {
    const float* x;
    const float* dy;
    const float* gamma;
    float* gamma_gradient;
    float* beta_gradient;
    float mean, factor;
};

/// One step of AdamW (Loshchilov and Hutter 2019) with its constants precomputed.
struct AdamStep {
    float beta1, beta2, epsilon;
    float gradient_scale;
    float decay;   // learning rate · weight decay
    float length;  // learning rate / (1 − β₁ᵗ)
    float root;    // 1 / √(1 − β₂ᵗ)
};

/// Dropout by a hash of each number's index: dropped if the hash is below `limit`, otherwise multiplied by `factor`.
struct DropRule {
    std::uint32_t low, high, limit;
    float factor;
};

/// C = α · A · B for matrices so small that a library call costs more than the product: heads of short sentences.
/// `a_row` is the distance between rows of A and `a_column` that between its columns, so a transposed matrix has the
/// two exchanged; the same holds for B. C's rows are `c_row` apart.
struct SmallProduct {
    const float* a;
    std::size_t a_row, a_column;
    const float* b;
    std::size_t b_row, b_column;
    float* c;
    std::size_t c_row;
    std::size_t rows, columns, inner;
    float alpha;
};

/// C = α · A · B, plus a bias for C's columns, plus the old C, in panels (Goto & van de Geijn 2008). Distances are as
/// in SmallProduct, but of A's two, and of B's two, one must be 1. B is read where it is stored or, if `panels` is set,
/// from the layout that `pack` made.
struct PanelProduct {
    const float* a;
    std::size_t a_row, a_column;
    const float* b;
    std::size_t b_row, b_column;
    const float* panels;  // or null
    float* c;
    std::size_t c_row;
    std::size_t rows, columns, inner;
    float alpha;
    const float* bias;  // or null
    bool adds;          // to the old C
    float* scratch;     // panel_scratch numbers
};

/// The matrix B (inner, columns) to pack for later products.
struct PanelSource {
    const float* b;
    std::size_t b_row, b_column;
    std::size_t inner, columns;
};

inline constexpr std::size_t panel_depth = 256;       // rows of B in a panel, which fits into the L1 cache
inline constexpr std::size_t panel_block_rows = 480;  // rows of A packed at a time, which fit into the L2 cache
inline constexpr std::size_t widest_panel = 32;       // columns of B in a panel, at most
inline constexpr std::size_t panel_scratch = panel_depth * (panel_block_rows + widest_panel);

/// Products by panels for one vector unit.
struct PanelKernels {
    void (*multiply)(const PanelProduct& product);
    /// The number of floats that `pack` writes.
    std::size_t (*packed_size)(std::size_t inner, std::size_t columns);
    void (*pack)(const PanelSource& source, float* panels);
    /// B transposed, (columns, inner), row by row.
    void (*unpack)(const float* panels, std::size_t inner, std::size_t columns, float* transposed);
};

/// All loops, compiled for one vector unit.
struct RowKernels {
    const char* name;  ///< "x86-64-v2", "x86-64-v3", "x86-64-v4", or "native" on other processors
    int level;         ///< 2, 3 or 4; 0 on other processors

    /// e^{x − max} / Σ
    void (*softmax)(const float* in, float* out, std::size_t count);
    /// a (d − Σ a d)      a = softmax(s), d = ∂/∂a  ->  ∂/∂s
    void (*softmax_back)(const float* a, const float* d, float* out, std::size_t count);

    RowMoments (*moments)(const float* in, std::size_t count);
    void (*normalise)(const NormRow& row, float* out, std::size_t count);
    void (*normalise_back)(const NormBackRow& row, float* out, std::size_t count);

    void (*activate)(Activation activation, const float* in, float* out, std::size_t count);
    /// f'(x) · dy
    void (*activate_back)(Activation activation, const float* x, const float* dy, float* out, std::size_t count);

    void (*add)(const float* a, const float* b, float* out, std::size_t count);
    void (*add_to)(float* sum, const float* in, std::size_t count);
    /// factor · in; `out` may be `in`
    void (*scale)(const float* in, float* out, std::size_t count, float factor);
    float (*dot)(const float* a, const float* b, std::size_t count);
    /// Σ x²
    double (*squares)(const float* in, std::size_t count);
    /// The largest magnitude of finite numbers.
    float (*largest_magnitude)(const float* in, std::size_t count);

    /// Σ p ln p, 0 for 0
    double (*entropy_terms)(const float* p, std::size_t count);
    /// the same of (a + b) / 2
    double (*entropy_terms_of_mean)(const float* a, const float* b, std::size_t count);

    void (*multiply)(const SmallProduct& product);
    const PanelKernels* panels;

    void (*drop)(const DropRule& rule, float* data, std::size_t count);

    /// m ← β₁ m + (1 − β₁) g,  v ← β₂ v + (1 − β₂) g²,  w ← w − decay w − length m / (√v root + ε)
    void (*adamw)(const AdamStep& step, const float* gradient, float* m, float* v, float* w, std::size_t count);
    /// m ← μ m + (1 − μ) g,  out = μ m + (1 − μ) g: Nesterov's look ahead
    void (*momentum)(float mu, const float* gradient, float* m, float* out, std::size_t count);
    /// w ← w − decay w − length d
    void (*descend)(float decay, float length, const float* d, float* w, std::size_t count);
};

/// The highest level of vector instructions to use: 2, 3 or 4, from VITRINE_VECTORS=v2, v3 or v4 and oneDNN's
/// DNNL_MAX_CPU_ISA. Row kernels and product libraries both obey it: a limited run is like one on an older processor.
int vector_limit();

/// The best variant within the limit that this machine can run.
const RowKernels& row_kernels();

/// Whether this machine and its operating system can run a variant.
bool runs_here(const RowKernels& variant);

/// The name of the variant in use.
const char* vector_variant();

}  // namespace vitrine
