#pragma once

#include <cstdint>
#include <span>

#include "core/model.h"
#include "core/progress.h"
#include "core/trace.h"

namespace vitrine {

/// One number for every head of every block, (L, h), each a mean over all queries.
struct HeadStatistics {
    Tensor2 entropy;           ///< H = −Σ_j A_ij ln A_ij in nats, 0 … ln N
    Tensor2 effective_tokens;  ///< e^H: so many tokens looked at evenly would be as spread, 1 … N
    Tensor2 distance;          ///< in pixels, over patch queries and patch keys (ViT paper, Fig. 7 and 11)
    Tensor2 confidence;        ///< max_j A_ij (Voita et al. 2019)
    Tensor2 class_share;       ///< A_i0: what goes to the class token, or to all tokens without a place in the image
};

/// Reads every attention matrix of a run of one image once; several threads.
HeadStatistics head_statistics(const Trace& trace, const Config& config, const Progress& progress = {});

/// How much of every head's attention goes to some patches, a mean over all queries.      cover (N_p), 0 … 1 each: how
/// far a patch counts  ->  (L, h)
Tensor2 attention_share(const Trace& trace, std::span<const float> cover);

}  // namespace vitrine
