#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/measures/head_statistics.h"
#include "core/text/text_kinds.h"
#include "core/text/text_trace.h"

namespace vitrine {

// Statistics of the heads of one kind of attention in a run of one text, for the Text room's laboratory.

/// The attention of block ℓ of a run; null if there is none of that kind.
std::shared_ptr<const AttentionTrace> attention_of(const TextTrace& trace, TextAttention kind, int block);
/// The kinds of attention in a model, in the order encoder, decoder, cross.
std::vector<TextAttention> attentions_of(const TextConfig& config);
/// Number of blocks in the stack with this kind of attention.
int blocks_of(const TextConfig& config, TextAttention kind);

/// The statistics for texts, each 0 … 1.
std::span<const HeadStatistic> text_head_statistics_table();

/// Statistics of all heads for a kind of attention; masked keys are left out.
struct TextHeadStatistics : HeadStatistics {
    TextAttention kind = TextAttention::encoder;
};
TextHeadStatistics text_head_statistics(const TextTrace& trace, TextAttention kind);

}  // namespace vitrine
