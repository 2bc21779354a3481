#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/text_trace.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

// Statistics of the heads of one kind of attention in a run of one text, for the Text room's laboratory.

/// The attention of block ℓ of a run; null if there is none of that kind.
const AttentionTrace* attention_of(const TextTrace& trace, TextAttention kind, int block);
/// The kinds of attention in a model, in the order encoder, decoder, cross.
std::vector<TextAttention> attentions_of(const TextConfig& config);
/// Number of blocks in the stack with this kind of attention.
int blocks_of(const TextConfig& config, TextAttention kind);

/// A query's row of an attention matrix without the keys hidden by the mask.
struct TextAttentionRow {
    int query = 0;
    std::span<const float> weights;  // on the keys that the query may see, Σ = 1
    std::span<const int> keys;       // their positions
    bool self = true;                // keys and queries come from the same sequence
    int end = -1;                    // position of [EOS] among the keys; −1: none

    /// The weight on the key at a position, 0 if the query may not see it.
    double on(int place) const;
};

/// A statistic of a head, 0 … 1: the mean over the queries for which it is defined.
struct TextHeadStatistic {
    const char* name;   // key of its texts, and its name in files
    const char* words;  // description in English, for help
    /// None for a query without a value: the entropy of a query that sees only one word is undefined.
    std::optional<double> (*of)(const TextAttentionRow& row);
};
std::span<const TextHeadStatistic> text_head_statistics_table();
const TextHeadStatistic* text_head_statistic_named(std::string_view name);

/// All statistics of all heads of a kind of attention.
struct TextHeadStatistics {
    struct Column {
        const TextHeadStatistic* statistic;
        Tensor2 values;   // (L, h)
        double even = 0;  // the same for uniform attention over what each query may see
        int counted = 0;  // number of queries in the mean
    };
    TextAttention kind = TextAttention::encoder;
    std::vector<Column> columns;  // the statistics that are defined for this attention

    /// Null if the statistic is not defined here.
    const Column* of(std::string_view name) const;
};
TextHeadStatistics text_head_statistics(const TextTrace& trace, TextAttention kind);

}  // namespace vitrine
