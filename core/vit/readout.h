#pragma once

#include <span>
#include <vector>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// The part of z_L that the head reads. Every readout is one vector or two, each the mean over consecutive tokens,
// usually of a single one; callers use these functions instead of assuming the class token's row.

/// Tokens `first` … `last` − 1, whose mean is a vector of the readout.
struct ReadTokens {
    int first = 0, last = 1;

    int count() const { return last - first; }
    bool one() const { return count() == 1; }
    bool has(int token) const { return token >= first && token < last; }
    bool operator==(const ReadTokens&) const = default;
};
/// The vectors that the head reads, one or two, in the order in which it reads them.
std::vector<ReadTokens> read_parts(const Config& config);
/// The first of these vectors, which is the only one in most models.
ReadTokens read_tokens(const Config& config);
/// All tokens that the head reads, in the order of `read_parts`.
std::vector<int> tokens_read(const Config& config);

/// The readout of each image; for a head that reads two vectors, their mean; for one that pools by attention, the mean
/// of all patches. x (B·N, columns) -> (B, columns)
Tensor2 read_out(const Config& config, const Tensor2& x);

/// Backward pass: each token of the readout gets its share of the gradient, all others zero. dy (B, columns) -> dx
/// (B·N, columns)
Tensor2 read_out_back(const Config& config, const Tensor2& dy);

// For heads that normalise each of their R input tokens (`Config::norms_tokens`), then put their vectors side by side.

/// The rows of the head's input tokens. x (B·N, D) -> (B·R, D)
Tensor2 rows_read(const Config& config, const Tensor2& x);
/// Its backward pass. dy (B·R, D) -> dx (B·N, D)
Tensor2 rows_read_back(const Config& config, const Tensor2& dy);
/// The mean of each vector's tokens, side by side. rows (B·R, D) -> (B, vectors · D)
Tensor2 bring_together(const Config& config, const Tensor2& rows);
/// Its backward pass. dy (B, vectors · D) -> (B·R, D)
Tensor2 bring_together_back(const Config& config, const Tensor2& dy);

/// Each token's share in the readout of a run of one image. For a head that pools by attention: the weights of its
/// query, averaged over its heads. -> (N), sums to 1
std::vector<float> readout_shares(const Config& config, const HeadTrace& head);

/// The rows of a matrix over tokens, weighted by each token's share in the readout (`readout_shares`) and summed. (N),
/// (N, columns) -> (columns)
std::vector<float> weighed_rows(std::span<const float> shares, const Tensor2& matrix);

/// A head's attention from the tokens that the model's head reads (all patches for a pooling by attention): the mean
/// over their rows. -> (N), sums to 1
std::vector<float> readout_row(const Config& config, const BlockTrace& block, int head);

}  // namespace vitrine
