#pragma once

#include <vector>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// The part of z_L that the head reads. Every readout is the mean over consecutive tokens, usually of a single one;
// callers ask here instead of assuming the class token's row.

/// The tokens from `first` to before `last`, whose mean goes into the final norm.
struct ReadTokens {
    int first = 0, last = 1;

    int count() const { return last - first; }
    bool one() const { return count() == 1; }
    bool has(int token) const { return token >= first && token < last; }
};
ReadTokens read_tokens(const Config& config);

/// The readout of each image. x (B·N, columns) -> (B, columns)
Tensor2 read_out(const Config& config, const Tensor2& x);

/// Backward pass: each token of the readout gets its share of the gradient, all others zero. dy (B, columns) -> dx
/// (B·N, columns)
Tensor2 read_out_back(const Config& config, const Tensor2& dy);

/// A head's attention from the readout: the mean over the rows of those queries. -> (N), sums to 1
std::vector<float> readout_row(const Config& config, const BlockTrace& block, int head);

}  // namespace vitrine
