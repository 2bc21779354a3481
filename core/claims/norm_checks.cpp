#include <algorithm>
#include <cmath>
#include <map>

#include "core/claims/picture_trials.h"
#include "core/claims/what_if_checks.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/tensor/entropy.h"
#include "core/transformer/intervention.h"
#include "core/vit/readout.h"

// Checks of claims about layer norms and their placement.

namespace vitrine {

namespace {

/// Mean length of the tokens at a level.
double mean_length(const Trace& trace, int level) {
    const std::vector<float> norms = row_norms(trace.z(level));
    double sum = 0;
    for (const float norm : norms) sum += static_cast<double>(norm);
    return sum / static_cast<double>(norms.size());
}

/// Ratio of the tokens' lengths after the last block to those before the first.
double growth(const Trace& trace) { return mean_length(trace, trace.blocks()) / mean_length(trace, 0); }

/// Effective number of tokens that a query attends to, e^H: the mean over all queries, heads and blocks.
double effective_tokens_of(const Trace& trace) {
    return mean_over_heads(trace, 1, trace.blocks(), [](const BlockTrace& block, int head) {
        double sum = 0;
        const std::size_t rows = block.attention.shape()[1];
        for (std::size_t row = 0; row < rows; ++row)
            sum += std::exp(static_cast<double>(entropy(attention_row(block, head, static_cast<int>(row)))));
        return sum / static_cast<double>(rows);
    });
}

/// Columns: answer correct (0 or 1) with and without all norms, the first choice's probability without, growth with and
/// without, effective number of tokens attended to with and without.
std::vector<double> without_norms(const PictureRun& run) {
    const Trace off = run.with({normalise(Norm::none)});
    return {
        run.right(run.trace),    run.right(off), static_cast<double>(top_predictions(*off.head, 1).front().probability),
        growth(run.trace),       growth(off),    effective_tokens_of(run.trace),
        effective_tokens_of(off)};
}

const PictureNumbers& norms_off(const ClaimGround& ground, std::uint64_t seed) {
    return try_pictures(ground, seed, "norms_off", without_norms);
}

}  // namespace

Trial answer_without_norms(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = norms_off(ground, seed);
    return {mean_of(n, 1), {{"right", mean_of(n, 0)}, {"right_without", mean_of(n, 1)}}};
}

/// Without norms: the share of the pictures with the most common answer, and the mean cosine of all pairs of pictures'
/// class tokens after the last block. The margin is the share.
Trial one_answer_without_norms(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "one_answer", [](const PictureRun& run) {
        const Trace off = run.with({normalise(Norm::none)});
        const Tensor2 read = read_out(run.model.config, off.z(off.blocks()));
        std::vector<double> numbers = {static_cast<double>(PictureRun::first_of(off))};
        for (const float x : read) numbers.push_back(static_cast<double>(x));
        return numbers;
    });
    Tensor2 ends = tensor2(n.size(), n.front().size() - 1);
    std::map<double, int> named;
    for (std::size_t i = 0; i < n.size(); ++i) {
        ++named[n[i].front()];
        for (std::size_t j = 1; j < n[i].size(); ++j) ends(i, j - 1) = static_cast<float>(n[i][j]);
    }
    int most = 0;
    for (const auto& [index, count] : named) most = std::max(most, count);
    const double share = static_cast<double>(most) / static_cast<double>(n.size());
    return {share, {{"share", share}, {"alike", mean_pair_cosine(ends), FigureKind::number}}};
}

Trial confidence_without_norms(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = norms_off(ground, seed);
    return {median_of(n, 2), {{"median", median_of(n, 2)}, {"sure", 1 - share_below(n, 2, 0.9)}}};
}

Trial growth_without_norms(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = norms_off(ground, seed);
    return {mean_of(n, 4),
            {{"with", mean_of(n, 3), FigureKind::number}, {"without", mean_of(n, 4), FigureKind::number}}};
}

Trial attention_without_norms(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = norms_off(ground, seed);
    const double with = mean_of(n, 5), without = mean_of(n, 6);
    return {without / with, {{"with", with, FigureKind::number}, {"without", without, FigureKind::number}}};
}

/// Growth with the model's own norms; and, with norms after the sums, the largest mean token length of a level ÷ the
/// smallest. The margin is the first ÷ the second.
Trial lengths_by_place(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "norm_place", [](const PictureRun& run) {
        const Trace after = run.with({normalise(Norm::after)});
        double least = 1e30, most = 0;
        for (int level = 1; level <= after.blocks(); ++level) {
            least = std::min(least, mean_length(after, level));
            most = std::max(most, mean_length(after, level));
        }
        return std::vector<double>{growth(run.trace), most / least, run.right(after)};
    });
    return {mean_of(n, 0) / mean_of(n, 1),
            {{"before", mean_of(n, 0), FigureKind::number},
             {"after", mean_of(n, 1), FigureKind::number},
             {"right_after", mean_of(n, 2)}}};
}

}  // namespace vitrine
