#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// A row of an attention matrix, and what several statistics need of it.
struct AttentionRow {
    int query = 0;                   // 0 … N − 1
    std::span<const float> weights;  // (N)
    float to_class = 0;              // the one on the class token; 0 where the model has none
    double entropy = 0;              // −Σ_j A_ij ln A_ij in nats
    double distance = 0;  // Σ_j A_ij · ‖pos_i − pos_j‖ in pixels over patch keys; 0 for the row of another token
};

/// One number of a head: what a row of its attention gives, as a mean over queries.
struct HeadStatistic {
    const char* name;   // of its words, in files and in sessions
    const char* words;  // what it is, in English, for help
    double (*of)(const AttentionRow& row);
    double (*most)(const Config& config);  // the largest value it can have
    bool patch_queries = false;            // the mean is over the patches' rows alone
};

/// All of them, in the order they are shown.
std::span<const HeadStatistic> head_statistics_table();

/// The row of that name; null where there is none.
const HeadStatistic* head_statistic_named(std::string_view name);

/// Every statistic of every head of every block.
struct HeadStatistics {
    std::vector<Tensor2> values;  // (L, h) each, in the table's order

    /// Those of a name in the table.      (L, h)
    const Tensor2& of(std::string_view name) const;
};

/// Reads every attention matrix of a run of one image once; several threads.
HeadStatistics head_statistics(const Trace& trace, const Config& config, const Progress& progress = {});

/// How much of every head's attention goes to some patches, a mean over all queries.      cover (N_p), 0 … 1 each: how
/// far a patch counts  ->  (L, h)
Tensor2 attention_share(const Trace& trace, std::span<const float> cover);

}  // namespace vitrine
