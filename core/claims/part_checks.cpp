#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/claims/picture_trials.h"
#include "core/claims/what_if_checks.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/measures/importance.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/outliers.h"
#include "core/measures/weight_agreement.h"
#include "core/transformer/intervention.h"
#include "core/vit/readout.h"

// Checks of claims about parts of the model: how much the answer depends on each, and their activations.

namespace vitrine {

namespace {

std::span<const float> row_of(const Tensor2& z, int row) {
    return {&z(static_cast<std::size_t>(row), 0), z.shape()[1]};
}

/// The size of a change: first choice changed (0 or 1), |Δp|, |Δ logit|, |Δ margin|, |Δ loss|.
std::vector<double> sizes_of(const AnswerChange& change) {
    return {change.other_choice() ? 1.0 : 0.0, std::abs(change.probability()), std::abs(change.logit()),
            std::abs(change.margin()), std::abs(change.loss())};
}

/// Figures quoted for a what-if: how often another class comes first, and the mean changes of probability, logit and
/// margin.
std::vector<Figure> figures_of_change(const PictureNumbers& numbers) {
    return {{"changed", mean_of(numbers, 0)},
            {"probability", mean_of(numbers, 1)},
            {"logit", mean_of(numbers, 2), FigureKind::number},
            {"margin", mean_of(numbers, 3), FigureKind::number}};
}

/// The head of a block that adds the longest vector to the class token.
int longest_head(const PictureRun& run, int block) {
    const auto& projection = run.model.weights.blocks[static_cast<std::size_t>(block - 1)].projection;
    const std::vector<float> lengths =
        row_norms(head_contributions(*run.trace.block(block), projection, read_tokens(run.model.config).first));
    return static_cast<int>(std::ranges::max_element(lengths) - lengths.begin());
}

/// The patch with a head's largest weight in the row that is read out.
int brightest_patch(const PictureRun& run, int block, int head) {
    const Config& c = run.model.config;
    const auto held = run.trace.block(block);  // owner of the row
    const std::span<const float> row = attention_row(*held, head, read_tokens(c).first);
    return c.token_of(largest(c.patches_of(row), 1).front());
}

/// The mean of each channel of a patch, and its contrast: the root of the summed squared deviations from the means.
std::array<double, 4> colour_and_contrast(const PictureRun& run, int patch) {
    const Config& c = run.model.config;
    const int left = patch % c.grid_width() * c.patch_size, top = patch / c.grid_width() * c.patch_size;
    const double count = c.patch_size * c.patch_size;
    std::array<double, 4> look{};
    for (std::size_t k = 0; k < 3; ++k) {
        double squares = 0;
        for (int y = top; y < top + c.patch_size; ++y)
            for (int x = left; x < left + c.patch_size; ++x) {
                const double value = run.picture.image.rgb[3 * static_cast<std::size_t>(y * c.image_width + x) + k];
                look[k] += value / count;
                squares += value * value;
            }
        look[3] += std::max(0.0, squares - count * look[k] * look[k]);
    }
    look[3] = std::sqrt(look[3]);
    return look;
}

/// True if any pixel of a patch belongs to the drawn object.
bool shows_object(const PictureRun& run, int patch) {
    const Config& c = run.model.config;
    const int left = patch % c.grid_width() * c.patch_size, top = patch / c.grid_width() * c.patch_size;
    for (int y = top; y < top + c.patch_size; ++y)
        for (int x = left; x < left + c.patch_size; ++x)
            if (run.picture.object[static_cast<std::size_t>(y * c.image_width + x)] > 0) return true;
    return false;
}

/// The share of pictures on which the first choice's probability changes by less than one percentage point.
Trial share_unmoved(const ClaimGround& ground, std::uint64_t seed, const std::string& name, const PictureCheck& check) {
    const PictureNumbers& n = try_pictures(ground, seed, name, check);
    std::vector<Figure> figures = figures_of_change(n);
    figures.push_back({"unmoved", share_below(n, 1, 0.01)});
    return {share_below(n, 1, 0.01), figures};
}

}  // namespace

Trial without_longest_head(const ClaimGround& ground, std::uint64_t seed) {
    return share_unmoved(ground, seed, "longest_head", [](const PictureRun& run) {
        return sizes_of(run.change({remove_head(run.block(), longest_head(run, run.block()))}));
    });
}

Trial without_brightest_patch(const ClaimGround& ground, std::uint64_t seed) {
    return share_unmoved(ground, seed, "brightest_patch", [](const PictureRun& run) {
        return sizes_of(run.change({remove_token(brightest_patch(run, run.block(), run.head()))}));
    });
}

/// Agreement between each head's attention weights for the class token and the norms of the weighted values
/// (`weight_agreement`): the median and the minimum over all heads, and the share of heads for which both have their
/// maximum on the same patch. The margin is the median.
Trial agreeing_weights(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "agreeing_weights", [](const PictureRun& run) {
        const Config& c = run.model.config;
        const int query = read_tokens(c).first;
        const Tensor2 agreement = weight_agreement(run.trace, query);
        std::vector<float> all(agreement.begin(), agreement.end());
        std::ranges::sort(all);
        const double same = mean_over_heads(run.trace, 1, c.blocks, [&](const BlockTrace& block, int head) {
            const std::vector<float> moved = value_weighted_norms(block, head, query);
            return largest(c.patches_of(attention_row(block, head, query)), 1) == largest(c.patches_of(moved), 1) ? 1.0
                                                                                                                  : 0.0;
        });
        return std::vector<double>{static_cast<double>(all[all.size() / 2]), static_cast<double>(all.front()), same};
    });
    return {mean_of(n, 0),
            {{"median", mean_of(n, 0), FigureKind::number},
             {"least", mean_of(n, 1), FigureKind::number},
             {"same", mean_of(n, 2)}}};
}

/// The same agreement, averaged over the heads of the first block, and of all later ones. The margin is the second
/// minus the first.
Trial agreement_after_first_block(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "agreement_after_first_block", [](const PictureRun& run) {
        const Tensor2 agreement = weight_agreement(run.trace, read_tokens(run.model.config).first);
        const auto heads = static_cast<std::ptrdiff_t>(agreement.shape()[1]);
        const auto mean = [](auto first, auto last) {
            return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
        };
        return std::vector<double>{mean(agreement.begin(), agreement.begin() + heads),
                                   mean(agreement.begin() + heads, agreement.end())};
    });
    const double first = mean_of(n, 0), later = mean_of(n, 1);
    return {later - first, {{"first", first, FigureKind::number}, {"later", later, FigureKind::number}}};
}

/// Mean changes of probability and margin when a head of the last block is removed, for pictures whose first choice has
/// p ≥ 99.9 %.
Trial near_certainty(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "near_certainty", [](const PictureRun& run) {
        const AnswerChange change = run.change({remove_head(run.model.config.blocks, run.head())});
        std::vector<double> sizes = sizes_of(change);
        sizes.push_back(change.before.probability);
        return sizes;
    });
    PictureNumbers sure;
    std::ranges::copy_if(n, std::back_inserter(sure), [](const auto& row) { return row.back() >= 0.999; });
    if (sure.empty()) return {};
    return {mean_of(sure, 3) - 100 * mean_of(sure, 1), figures_of_change(sure)};
}

/// Share of pictures on which the head of the last block with the largest contribution to the logit is not the one
/// whose removal reduces the margin most.
Trial ledger_against_ablation(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "ledger_order", [](const PictureRun& run) {
        const Config& c = run.model.config;
        const std::vector<float> added = last_heads(run.model, run.trace, run.first());
        const auto most = static_cast<int>(std::ranges::max_element(added) - added.begin());
        int worst = 0;
        double cost = -1e30;
        for (int head = 0; head < c.heads; ++head)
            if (const double lost = -run.change({remove_head(c.blocks, head)}).margin(); lost > cost)
                cost = lost, worst = head;
        return std::vector<double>{most == worst ? 0.0 : 1.0};
    });
    return {mean_of(n, 0), {{"differ", mean_of(n, 0)}}};
}

/// For the head with the largest contribution to the logit, in any block: how often removing it reduces the logit by
/// less than that contribution (the margin), and the reduction ÷ the contribution.
Trial compensated_share(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "made_up_for", [](const PictureRun& run) {
        const int first = run.first();
        const Ledger ledger = logit_ledger(run.model, run.trace);
        std::size_t most = 0;
        float added = -1e30F;
        for (std::size_t i = 0; i < ledger.entries.size(); ++i)
            if (ledger.entries[i].part == LedgerEntry::Part::head && ledger.contribution(i, first) > added)
                added = ledger.contribution(i, first), most = i;
        const LedgerEntry& entry = ledger.entries[most];
        const double lost = -run.change({remove_head(entry.block, entry.head)}).logit();
        return std::vector<double>{lost < static_cast<double>(added) ? 1.0 : 0.0, lost / static_cast<double>(added)};
    });
    return {mean_of(n, 0), {{"less", mean_of(n, 0)}, {"kept", median_of(n, 1), FigureKind::number}}};
}

/// For the head whose removal changes the margin most: its importance by gradient ÷ that change (the trial's margin is
/// the median), and the share of pictures where this is less than a tenth. On every fourth picture, to save time.
Trial estimated_by_gradient(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& all = try_pictures(ground, seed, "gradient_estimate", [](const PictureRun& run) {
        if (run.index % 4 != 0) return std::vector<double>();
        const Tensor2 falls = importance({run.model, run.trace}).heads,
                      estimates = gradient_importance({run.model, run.trace});
        const auto most = static_cast<std::size_t>(
            std::ranges::max_element(falls, {}, [](float x) { return std::abs(x); }) - falls.begin());
        const double share = static_cast<double>(estimates.data()[most]) /
                             std::max(static_cast<double>(std::abs(falls.data()[most])), 1e-9);
        return std::vector<double>{share, share < 0.1 ? 1.0 : 0.0};
    });
    PictureNumbers n;
    std::ranges::copy_if(all, std::back_inserter(n), [](const auto& row) { return !row.empty(); });
    return {median_of(n, 0), {{"median", median_of(n, 0), FigureKind::number}, {"tenth", mean_of(n, 1)}}};
}

/// Patches with outlying norms (rings in the instrument "Tokens"): their number at level 0 and from level 2 on, and how
/// many of the former are striking: in the picture's top quarter by contrast or by unusual colour.
Trial outlying_norms(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "outlying_norms", [](const PictureRun& run) {
        const Config& c = run.model.config;
        const TokenNorms norms = token_norms(c, run.trace);
        double late = 0, striking = 0;
        for (std::size_t level = 2; level < norms.levels.size(); ++level)
            late += static_cast<double>(norms.levels[level].outliers.size());
        std::vector<std::array<double, 4>> looks;  // mean of each channel, and contrast
        for (int patch = 0; patch < c.patches(); ++patch) looks.push_back(colour_and_contrast(run, patch));
        std::array<double, 3> usual{};
        for (std::size_t k = 0; k < 3; ++k) {
            std::vector<double> means;
            for (const auto& look : looks) means.push_back(look[k]);
            std::ranges::nth_element(means, means.begin() + static_cast<std::ptrdiff_t>(means.size() / 2));
            usual[k] = means[means.size() / 2];
        }
        std::vector<double> contrast, colour;
        for (const auto& look : looks) {
            contrast.push_back(look[3]);
            colour.push_back(std::hypot(look[0] - usual[0], look[1] - usual[1], look[2] - usual[2]));
        }
        const auto is_high = [](const std::vector<double>& all, std::size_t i) {
            return std::ranges::count_if(all, [&](double x) { return x < all[i]; }) * 4 >= std::ssize(all) * 3;
        };
        for (const int token : norms.levels[0].outliers) {
            const auto patch = static_cast<std::size_t>(c.patch_of(token));
            striking += is_high(contrast, patch) || is_high(colour, patch) ? 1 : 0;
        }
        return std::vector<double>{static_cast<double>(norms.levels[0].outliers.size()), late, striking};
    });
    const double first = mean_of(n, 0), late = mean_of(n, 1);
    const bool usually = mean_of(n, 2) >= 0.6 * first;  // by chance, each criterion is met by a quarter
    return {!usually           ? 1
            : first + late > 0 ? late / (first + late)
                               : 0,
            {{"first", first, FigureKind::number},
             {"late", late, FigureKind::number},
             {"striking", first > 0 ? mean_of(n, 2) / first : 1}}};
}

Trial background_in_the_lens(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& all = try_pictures(ground, seed, "background_lens", [](const PictureRun& run) {
        const Config& c = run.model.config;
        if (std::ranges::all_of(run.picture.object, [](std::uint8_t covered) { return covered == 0; }))
            return std::vector<double>();  // nothing but background
        const TokenLens lens = token_lens(run.model, run.trace, run.first());
        double most = 0;
        for (int patch = 0; patch < c.patches(); ++patch)
            if (!shows_object(run, patch))
                most =
                    std::max(most, static_cast<double>(lens.probability(static_cast<std::size_t>(c.blocks),
                                                                        static_cast<std::size_t>(c.token_of(patch)))));
        return std::vector<double>{most, most >= 0.9 ? 1.0 : 0.0};
    });
    PictureNumbers n;
    std::ranges::copy_if(all, std::back_inserter(n), [](const auto& row) { return !row.empty(); });
    if (n.empty()) return {};
    return {mean_of(n, 1), {{"near_one", mean_of(n, 1)}, {"median", median_of(n, 0)}}};
}

Trial small_cover(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& all = try_pictures(ground, seed, "small_cover", [](const PictureRun& run) {
        const Config& c = run.model.config;
        std::vector<int> thing;
        for (int patch = 0; patch < c.patches(); ++patch)
            if (shows_object(run, patch)) thing.push_back(c.token_of(patch));
        if (thing.empty()) return std::vector<double>();
        const int token = thing[static_cast<std::size_t>(run.index) % thing.size()];
        const AnswerChange change =
            run.change({{Site::embedded, {}, CoverPatches{Cover::mean, c.token_of(0), {token}}}});
        if (change.before.probability < 0.999) return std::vector<double>();
        return std::vector<double>{std::abs(change.probability()), std::abs(change.margin())};
    });
    PictureNumbers sure;
    std::ranges::copy_if(all, std::back_inserter(sure), [](const auto& row) { return !row.empty(); });
    if (sure.empty()) return {};
    const double unmoved = share_below(sure, 0, 0.01);
    return {unmoved, {{"unmoved", unmoved}, {"margin", median_of(sure, 1), FigureKind::number}}};
}

/// Mean cosine similarity between patches of the drawn object, and between these and all other patches, at the first
/// and the last level. Pictures without pairs of both kinds are left out.
Trial patches_of_a_thing(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& all = try_pictures(ground, seed, "patches_of_a_thing", [](const PictureRun& run) {
        const Config& c = run.model.config;
        std::vector<int> thing, other;
        for (int patch = 0; patch < c.patches(); ++patch) {
            const int x = patch % c.grid_width() * c.patch_size + c.patch_size / 2,
                      y = patch / c.grid_width() * c.patch_size + c.patch_size / 2;
            const std::uint8_t seen = run.picture.object[static_cast<std::size_t>(y * c.image_width + x)];
            (seen > 127 ? thing : other).push_back(c.token_of(patch));
        }
        std::vector<double> means;
        if (thing.size() < 2 || other.empty()) return means;
        for (const int level : {0, c.blocks})
            for (const std::vector<int>& against : {thing, other}) {
                double sum = 0;
                int pairs = 0;
                for (const int i : thing)
                    for (const int j : against)
                        if (i != j)
                            sum += static_cast<double>(
                                cosine(row_of(run.trace.z(level), i), row_of(run.trace.z(level), j))),
                                ++pairs;
                means.push_back(sum / pairs);
            }
        return means;
    });
    PictureNumbers n;
    std::ranges::copy_if(all, std::back_inserter(n), [](const auto& row) { return !row.empty(); });
    if (n.empty()) return {};
    return {mean_of(n, 2) - mean_of(n, 0),
            {{"first", mean_of(n, 0), FigureKind::number},
             {"last", mean_of(n, 2), FigureKind::number},
             {"others_first", mean_of(n, 1), FigureKind::number},
             {"others_last", mean_of(n, 3), FigureKind::number}}};
}

/// Cosine between the class tokens before and after the first block, and between those of two pictures after it. The
/// margin is the difference; −1 if the class tokens already differ at the start.
Trial turning(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "turning", [](const PictureRun& run) {
        const int read = read_tokens(run.model.config).first;
        const auto at = [&](int level) { return row_of(run.trace.z(level), read); };
        std::vector<double> course = {static_cast<double>(cosine(at(0), at(1)))};
        for (int level = 0; level <= 1; ++level) course.insert(course.end(), at(level).begin(), at(level).end());
        return course;
    });
    const std::size_t d = static_cast<std::size_t>(ground.model.config.embedding_dim);
    double alike = 0, start = 0;
    for (std::size_t i = 0; i + 1 < n.size(); ++i) {
        std::vector<float> one, other;
        for (std::size_t k = 0; k < d; ++k) {
            one.push_back(static_cast<float>(n[i][1 + d + k]));
            other.push_back(static_cast<float>(n[i + 1][1 + d + k]));
            start = std::max(start, std::abs(n[i][1 + k] - n[i + 1][1 + k]));
        }
        alike += static_cast<double>(cosine(one, other)) / static_cast<double>(n.size() - 1);
    }
    return {start == 0 ? alike - mean_of(n, 0) : -1,
            {{"with_start", mean_of(n, 0), FigureKind::number}, {"with_other", alike, FigureKind::number}}};
}

/// The share of hidden units near 0 after the activation, over all tokens and blocks.
Trial quiet_units(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "quiet_units", [](const PictureRun& run) {
        constexpr float near = 0.2F;  // GELU's minimum is −0.17
        double quiet = 0, all = 0;
        for (int block = 1; block <= run.trace.blocks(); ++block) {
            const auto b = run.trace.block(block);
            for (const float a : b->mlp.activation) quiet += std::abs(a) < near ? 1 : 0;
            all += static_cast<double>(b->mlp.activation.size());
        }
        return std::vector<double>{quiet / all};
    });
    return {mean_of(n, 0), {{"quiet", mean_of(n, 0)}}};
}

/// Share of correct answers with all skip connections and without any. The margin is the second.
Trial without_any_skip(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "no_skips", [](const PictureRun& run) {
        return std::vector<double>{run.right(run.trace), run.right(run.with({without_skips()}))};
    });
    return {mean_of(n, 1), {{"right", mean_of(n, 0)}, {"right_without", mean_of(n, 1)}}};
}

/// Mean cosine of all pairs of tokens after the middle block, with all skip connections and without any. The margin is
/// the least increase of any picture.
Trial tokens_without_skips(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "tokens_without_skips", [](const PictureRun& run) {
        const int middle = (run.model.config.blocks + 1) / 2;
        const double with = mean_pair_cosine(run.trace.z(middle)),
                     without = mean_pair_cosine(run.with({without_skips()}).z(middle));
        return std::vector<double>{with, without, with - without};
    });
    return {-largest_of(n, 2),
            {{"with", mean_of(n, 0), FigureKind::number}, {"without", mean_of(n, 1), FigureKind::number}}};
}

Trial switched(const ClaimGround& ground, std::uint64_t seed, const char* name, WhatIfsOf what_ifs) {
    const PictureNumbers& n =
        try_pictures(ground, seed, name, [&](const PictureRun& run) { return sizes_of(run.change(what_ifs(run))); });
    return {mean_of(n, 0), figures_of_change(n)};
}

}  // namespace vitrine
