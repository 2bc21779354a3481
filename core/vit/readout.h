#pragma once

#include <vector>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// What a model's head reads of z_L, asked for wherever "the class token's row" would be assumed. Every readout is the
// mean over a run of tokens, most often of one.

/// The tokens that are read, from `first` to before `last`; their mean goes into the final norm.
struct ReadTokens {
    int first = 0, last = 1;

    int count() const { return last - first; }
    bool one() const { return count() == 1; }
    bool has(int token) const { return token >= first && token < last; }
};
ReadTokens read_tokens(const Config& config);

/// What is read of each image.      x (B·N, columns)  ->  (B, columns)
Tensor2 read_out(const Config& config, const Tensor2& x);

/// Its way back: each token that is read gets its share of the gradient, the others nothing.
///   dy (B, columns)  ->  dx (B·N, columns)
Tensor2 read_out_back(const Config& config, const Tensor2& dy);

/// Where a head of a block looks from what is read: the mean of those queries' rows.      ->  (N), sums to 1
std::vector<float> readout_row(const Config& config, const BlockTrace& block, int head);

}  // namespace vitrine
