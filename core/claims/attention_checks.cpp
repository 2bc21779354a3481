#include <algorithm>
#include <cmath>

#include "core/claims/picture_trials.h"
#include "core/claims/what_if_checks.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/transformer/intervention.h"

// Checks of claims about attention scores, attention weights and positions.

namespace vitrine {

namespace {

/// The largest attention weight of a row, averaged over a head's rows.
double mean_largest_weight(const BlockTrace& block, int head) {
    const int queries = static_cast<int>(block.attention.shape()[1]);
    double sum = 0;
    for (int query = 0; query < queries; ++query)
        sum += static_cast<double>(std::ranges::max(attention_row(block, head, query)));
    return sum / queries;
}

/// Asymmetry of a head's matrix: its largest difference from its transpose ÷ its largest magnitude.
double one_sidedness(const Tensor3& matrix, int head) {
    const std::size_t n = matrix.shape()[1], h = static_cast<std::size_t>(head);
    float apart = 0, most = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            apart = std::max(apart, std::abs(matrix(h, i, j) - matrix(h, j, i)));
            most = std::max(most, std::abs(matrix(h, i, j)));
        }
    return static_cast<double>(apart / std::max(most, 1e-30F));
}

/// Total variation between two runs' attention in a block, averaged over heads and queries.
double weight_moved(const BlockTrace& one, const BlockTrace& other) {
    double sum = 0;
    const int heads = static_cast<int>(one.attention.shape()[0]), queries = static_cast<int>(one.attention.shape()[1]);
    for (int head = 0; head < heads; ++head)
        for (int query = 0; query < queries; ++query)
            sum += total_variation(attention_row(one, head, query), attention_row(other, head, query));
    return sum / heads / queries;
}

}  // namespace

/// The largest weight of a row and the row's entropy, with and without ÷ √d.
Trial without_root(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "no_scale", [](const PictureRun& run) {
        const Trace off = run.with({without_scaling()});
        const int last = run.trace.blocks();
        return std::vector<double>{mean_over_heads(run.trace, 1, last, mean_largest_weight),
                                   mean_over_heads(off, 1, last, mean_largest_weight), mean_entropy(run.trace, 1, last),
                                   mean_entropy(off, 1, last), run.right(off)};
    });
    return {mean_of(n, 1) / mean_of(n, 0),
            {{"with", mean_of(n, 0)},
             {"without", mean_of(n, 1)},
             {"tokens", std::exp(mean_of(n, 2)), FigureKind::number},
             {"tokens_without", std::exp(mean_of(n, 3)), FigureKind::number},
             {"right_without", mean_of(n, 4)}}};
}

/// Entropy at temperatures 0.5, 1 and 2, changed in one block only, so that the scores are the model's own.
Trial by_temperature(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "temperature", [](const PictureRun& run) {
        const int block = run.block();
        const auto at = [&](float t) { return mean_entropy(run.with({temperature(t, block)}), block, block); };
        return std::vector<double>{at(0.5F), mean_entropy(run.trace, block, block), at(2)};
    });
    const double cold = mean_of(n, 0), plain = mean_of(n, 1), warm = mean_of(n, 2);
    return {std::min(plain - cold, warm - plain),
            {{"cold", std::exp(cold), FigureKind::number},
             {"plain", std::exp(plain), FigureKind::number},
             {"warm", std::exp(warm), FigureKind::number}}};
}

/// Asymmetry of the weights with K = Q; 0 if the scores are asymmetric beyond rounding.
Trial keys_as_queries(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "key_is_query", [](const PictureRun& run) {
        const Trace same = run.with({key_is_query()});
        const auto mean = [&](Tensor3 BlockTrace::*matrix) {
            return mean_over_heads(same, 1, same.blocks(),
                                   [&](const BlockTrace& b, int head) { return one_sidedness(b.*matrix, head); });
        };
        return std::vector<double>{mean(&BlockTrace::scores), mean(&BlockTrace::attention), run.right(same)};
    });
    constexpr double rounding = 1e-5;
    return {largest_of(n, 0) < rounding ? mean_of(n, 1) : 0,
            {{"scores", mean_of(n, 0), FigureKind::number},
             {"weights", mean_of(n, 1), FigureKind::number},
             {"right", mean_of(n, 2)}}};
}

/// Attention weight moved in the later blocks with V = Q; 0 if any moves in the first.
Trial values_as_queries(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "value_is_query", [](const PictureRun& run) {
        const Trace same = run.with({value_is_query()});
        double later = 0;
        for (int block = 2; block <= same.blocks(); ++block)
            later += weight_moved(*run.trace.block(block), *same.block(block)) / (same.blocks() - 1);
        return std::vector<double>{weight_moved(*run.trace.block(1), *same.block(1)), later, run.right(same)};
    });
    return {largest_of(n, 0) == 0 ? mean_of(n, 1) : 0, {{"later", mean_of(n, 1)}, {"right", mean_of(n, 2)}}};
}

/// Dissimilarity of a block's heads (mean Jensen–Shannon divergence, in nats); the least of all blocks.
Trial heads_differ(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "heads_differ", [](const PictureRun& run) {
        double least = 1e30;
        for (int block = 1; block <= run.trace.blocks(); ++block)
            least = std::min(least, mean_head_divergence(*run.trace.block(block)));
        return std::vector<double>{least};
    });
    return {mean_of(n, 0), {{"divergence", mean_of(n, 0), FigureKind::number}}};
}

/// The largest change of any probability when the patches are shuffled, without positions.
Trial order_without_positions(const ClaimGround& ground, std::uint64_t seed) {
    const PictureNumbers& n = try_pictures(ground, seed, "order", [](const PictureRun& run) {
        const Trace off = run.with({remove_positions()}), shuffled = run.with({remove_positions(), shuffle_tokens()});
        double most = 0;
        for (std::size_t i = 0; i < off.head->probabilities.size(); ++i)
            most = std::max(most, std::abs(static_cast<double>(off.head->probabilities(0, i)) -
                                           static_cast<double>(shuffled.head->probabilities(0, i))));
        return std::vector<double>{most};
    });
    return {largest_of(n, 0), {{"largest", largest_of(n, 0), FigureKind::number}}};
}

namespace {

/// The position embeddings of a model's patches.
struct PositionsOf {
    const Model& model;

    std::span<const float> at(int row, int column) const {
        const Config& c = model.config;
        const auto token = static_cast<std::size_t>(c.first_patch_position() + row * c.grid_width() + column);
        return {&model.weights.position(token, 0), static_cast<std::size_t>(c.embedding_dim)};
    }
    /// Mean cosine of each patch and its neighbour to the right.
    double of_neighbours() const {
        const Config& c = model.config;
        double sum = 0;
        for (int y = 0; y < c.grid_height(); ++y)
            for (int x = 0; x + 1 < c.grid_width(); ++x) sum += static_cast<double>(cosine(at(y, x), at(y, x + 1)));
        return sum / (c.grid_height() * (c.grid_width() - 1));
    }
};

}  // namespace

/// Mean cosine of the position embeddings of neighbours, and of pairs half the grid apart. No picture is needed.
Trial alike_neighbours(const ClaimGround& ground, std::uint64_t) {
    const Config& c = ground.model.config;
    const PositionsOf positions{ground.model};
    double far = 0;
    for (int y = 0; y < c.grid_height(); ++y)
        for (int x = 0; x + 1 < c.grid_width(); ++x)
            far += static_cast<double>(cosine(
                positions.at(y, x),
                positions.at((y + c.grid_height() / 2) % c.grid_height(), (x + c.grid_width() / 2) % c.grid_width())));
    far /= c.grid_height() * (c.grid_width() - 1);
    const double near = positions.of_neighbours();
    return {near - far, {{"near", near, FigureKind::number}, {"far", far, FigureKind::number}}};
}

/// Mean cosine of the embeddings of each position and its mirror image in its row, if they are more than a third of the
/// row apart, and of neighbours.
Trial alike_mirrored(const ClaimGround& ground, std::uint64_t) {
    const Config& c = ground.model.config;
    const PositionsOf positions{ground.model};
    double sum = 0;
    int pairs = 0;
    for (int y = 0; y < c.grid_height(); ++y)
        for (int x = 0; c.grid_width() - 1 - 2 * x > c.grid_width() / 3; ++x, ++pairs)
            sum += static_cast<double>(cosine(positions.at(y, x), positions.at(y, c.grid_width() - 1 - x)));
    const double mirrored = sum / pairs, near = positions.of_neighbours();
    return {mirrored - near, {{"mirrored", mirrored, FigureKind::number}, {"near", near, FigureKind::number}}};
}

}  // namespace vitrine
