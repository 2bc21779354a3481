#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

struct Config;
class Trace;

/// A query's row of an attention matrix over the keys that it may see, and what several statistics need of it.
struct AttentionRow {
    int query = 0;
    std::span<const float> weights;       // of those keys, Σ = 1
    std::span<const int> keys;            // their places, ascending
    double entropy = 0;                   // −Σ_j A_ij ln A_ij in nats
    bool self = true;                     // keys are the queries' own tokens
    std::optional<int> class_token = {};  // among the keys
    std::optional<int> end = {};          // [EOS] among the keys
    /// Σ_j A_ij · ‖pos_i − pos_j‖ in pixels over patch keys; none for rows of other tokens.
    std::optional<double> distance = {};

    /// The weight on the key at a place, 0 where the query must not see it.
    double on(int place) const;
};

/// One number of a head: what a row of its attention gives, as a mean over the queries that have it.
struct HeadStatistic {
    const char* name;   // of its words, in files and in sessions
    const char* words;  // what it is, in English, for help
    /// None for a query without it.
    std::optional<double> (*of)(const AttentionRow& row);
    double (*most)(const Config& config) = nullptr;  // the largest value it can have; null: 1
};

/// The row of that name; null where there is none.
const HeadStatistic* statistic_named(std::span<const HeadStatistic> table, std::string_view name);

/// Statistics of every head of every block of a stack.
struct HeadStatistics {
    struct Column {
        const HeadStatistic* statistic;
        Tensor2 values;   // (L, h)
        double even = 0;  // the same of attention spread evenly over what each query may see
        int counted = 0;  // queries that the mean is over
    };
    std::vector<Column> columns;  // in the table's order, without those that no query has

    /// Null where no query has it.
    const Column* column(std::string_view name) const;
    /// The values of one that every run has.      (L, h)
    const Tensor2& of(std::string_view name) const;
};

/// Which keys a query may see.
enum class Visible { every_key, unmasked };  // unmasked: those whose score is not −∞

/// The attention of one stack of a run of one image or text.
struct StackAttention {
    int blocks = 0;
    std::function<std::shared_ptr<const AttentionTrace>(int block)> at;  // ℓ = 1 … L
    Visible visible = Visible::every_key;
    /// Adds what a family knows of a row; several threads.
    std::function<void(AttentionRow& row)> describe;
};

/// Reads every attention matrix of a stack once; several threads.
HeadStatistics head_statistics(std::span<const HeadStatistic> table, const StackAttention& of,
                               const Progress& progress = {});

/// Those of pictures, in the order they are shown.
std::span<const HeadStatistic> head_statistics_table();
const HeadStatistic* head_statistic_named(std::string_view name);

/// Of a run of one image: every row of the table.
HeadStatistics head_statistics(const Trace& trace, const Config& config, const Progress& progress = {});

/// How much of every head's attention goes to some patches, a mean over all queries.      cover (N_p), 0 … 1 each: how
/// far a patch counts  ->  (L, h)
Tensor2 attention_share(const Trace& trace, std::span<const float> cover);

}  // namespace vitrine
