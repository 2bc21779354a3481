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

/// A query's row of an attention matrix over the keys it may see, with values shared by several statistics.
struct AttentionRow {
    int query = 0;
    std::span<const float> weights;       // on those keys, Σ = 1
    std::span<const int> keys;            // their positions, ascending
    double entropy = 0;                   // −Σ_j A_ij ln A_ij in nats
    bool self = true;                     // keys and queries come from the same sequence
    std::optional<int> class_token = {};  // its position among the keys
    std::optional<int> end = {};          // position of [EOS] among the keys
    /// Σ_j A_ij · ‖pos_i − pos_j‖ in pixels over patch keys; none for queries without a place in the image.
    std::optional<double> distance = {};

    /// The weight on the key at a position, 0 if the query may not see it.
    double on(int place) const;
};

/// A statistic of a head: the mean over the queries for which it is defined.
struct HeadStatistic {
    const char* name;   // in the keys of its texts, in files and in sessions
    const char* words;  // description in English, for help
    /// The value for one query's row; none if it is undefined for the query.
    std::optional<double> (*of)(const AttentionRow& row);
    double (*most)(const Config& config) = nullptr;  // its maximum; null: 1
    bool of_class_token = false;                     // meaningless for a model without a class token
};

/// The statistic of that name; null if there is none.
const HeadStatistic* statistic_named(std::span<const HeadStatistic> table, std::string_view name);

/// Statistics of all heads in all blocks of a stack.
struct HeadStatistics {
    struct Column {
        const HeadStatistic* statistic;
        Tensor2 values;   // (L, h)
        double even = 0;  // the value for uniform attention over the keys that each query may see
        int counted = 0;  // number of queries in the mean
    };
    std::vector<Column> columns;  // in the table's order, without those undefined for all queries

    /// The column of a statistic; null if it is undefined for all queries.
    const Column* column(std::string_view name) const;
    /// The values of a statistic that is always defined.      (L, h)
    const Tensor2& of(std::string_view name) const;
};

/// The keys that a query may see.
enum class Visible { every_key, unmasked };  // unmasked: those with a score other than −∞

/// The attention of one stack in a run of one image or text.
struct StackAttention {
    int blocks = 0;
    std::function<std::shared_ptr<const AttentionTrace>(int block)> at;  // ℓ = 1 … L
    Visible visible = Visible::every_key;
    /// Adds the values of a row that depend on the model's family (picture or text); called by several threads.
    std::function<void(AttentionRow& row)> describe;
};

/// Computes the statistics of all heads of a stack, reading each attention matrix once, on several threads.
HeadStatistics head_statistics(std::span<const HeadStatistic> table, const StackAttention& of,
                               const Progress& progress = {});

/// The statistics for pictures, in display order.
std::span<const HeadStatistic> head_statistics_table();
const HeadStatistic* head_statistic_named(std::string_view name);

/// False if a statistic is meaningless for a model: one of the class token, if the model has none.
bool says_something(const HeadStatistic& statistic, const Config& config);

/// All statistics for a run of one image.
HeadStatistics head_statistics(const Trace& trace, const Config& config, const Progress& progress = {});

/// Share of each head's attention on some patches, averaged over all queries.
/// cover (N_p), weights 0 … 1  ->  (L, h)
Tensor2 attention_share(const Trace& trace, std::span<const float> cover);

}  // namespace vitrine
