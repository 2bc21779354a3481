#pragma once

#include <cstddef>
#include <numeric>
#include <span>

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

#include "core/tensor/recycling_allocator.h"

namespace vitrine {

// The letters of every shape comment (ViT paper, and docs/architecture.md):
//
//   B    images in the batch (1 in the window)      N_p  patches = (H / P) (W / P)
//   C    image channels                             N    tokens: the learned ones, then N_p patches
//   H W  image height and width in pixels           D    length of a token's vector
//   P    side of a patch in pixels                  h d  heads and length of a head's vector, d = D / h
//   L    encoder blocks, ℓ = 1 … L                  M    hidden width of the MLP
//
// In the paper's model N = N_p + 1, and the class token comes first (index 0).
//
// With B images there are B·N rows (B·h for the heads): only attention needs N, row-wise operations do not.

template <std::size_t n>
using Tensor = xt::xtensor<float, n, xt::layout_type::row_major, RecyclingAllocator<float>>;

using Tensor1 = Tensor<1>;
using Tensor2 = Tensor<2>;
using Tensor3 = Tensor<3>;

/// The sequences of tokens that the rows hold: one for each image, or for each sentence.
struct Batch {
    int sequences = 1;
    int tokens = 0;  // N; for packed sentences, the length of the longest
    /// For packed sentences, else empty: sequence b has lengths[b] rows, without padding between sequences.
    std::span<const int> lengths = {};

    bool packed() const { return !lengths.empty(); }
    int length(int sequence) const { return packed() ? lengths[static_cast<std::size_t>(sequence)] : tokens; }
    /// Number of rows of all sequences.
    std::size_t rows() const {
        if (!packed()) return static_cast<std::size_t>(sequences) * static_cast<std::size_t>(tokens);
        return static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), 0));
    }
};

/// Tensors with uninitialised elements.
inline Tensor1 tensor1(std::size_t a) { return Tensor1::from_shape({a}); }
inline Tensor2 tensor2(std::size_t a, std::size_t b) { return Tensor2::from_shape({a, b}); }
inline Tensor3 tensor3(std::size_t a, std::size_t b, std::size_t c) { return Tensor3::from_shape({a, b, c}); }

}  // namespace vitrine
