#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/text_trace.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

// Read by the Text room's laboratory: what the heads of one kind of attention do in a run of one text.

/// The attention of block ℓ of a run; null where it has none such.
const AttentionTrace* attention_of(const TextTrace& trace, TextAttention kind, int block);
/// The kinds that a model has, in the order encoder, decoder, cross.
std::vector<TextAttention> attentions_of(const TextConfig& config);
/// The blocks of the stack that an attention stands in.
int blocks_of(const TextConfig& config, TextAttention kind);

/// A query's row of an attention matrix as a statistic sees it: what a mask hides is not there.
struct TextAttentionRow {
    int query = 0;
    std::span<const float> weights;  // of the keys that the query may see, Σ = 1
    std::span<const int> keys;       // their places
    bool self = true;                // keys are the queries' own words
    int end = -1;                    // the key that is [EOS]; −1: none

    /// The weight on the key at a place, 0 where the query must not see it.
    double on(int place) const;
};

/// One number of a head, a mean over the queries that it can be told of; 0 … 1.
struct TextHeadStatistic {
    const char* name;   // of its words and in files
    const char* words;  // what it is, in English, for help
    /// None for a query of which it cannot be told: of one that sees one word alone there is no entropy.
    std::optional<double> (*of)(const TextAttentionRow& row);
};
std::span<const TextHeadStatistic> text_head_statistics_table();
const TextHeadStatistic* text_head_statistic_named(std::string_view name);

/// Every statistic of every head of a kind of attention.
struct TextHeadStatistics {
    struct Column {
        const TextHeadStatistic* statistic;
        Tensor2 values;   // (L, h)
        double even = 0;  // the same of attention that is spread evenly over what each query may see
        int counted = 0;  // queries that the mean is over
    };
    TextAttention kind = TextAttention::encoder;
    std::vector<Column> columns;  // those of the table that can be told of this attention

    /// Null where it cannot be told.
    const Column* of(std::string_view name) const;
};
TextHeadStatistics text_head_statistics(const TextTrace& trace, TextAttention kind);

}  // namespace vitrine
