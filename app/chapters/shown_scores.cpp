#include "app/chapters/shown_scores.h"

#include <span>

#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/tensor/ops.h"
#include "core/transformer/equations.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

std::vector<float> row_of_pair(const Tensor3& tensor, int head, int row) {
    const float* const first = &tensor(static_cast<std::size_t>(head), static_cast<std::size_t>(row), 0);
    return {first, first + tensor.shape()[2]};
}

double dot_of_pair(std::span<const float> q, std::span<const float> k) {
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) sum += static_cast<double>(q[i]) * static_cast<double>(k[i]);
    return sum;
}

}  // namespace

ShownScores scores_shown(const Result& now, const Focus& focus) {
    const Config& c = now.model->config;
    const auto block = now.trace.block(focus.block);
    const BlockWeights& weights = now.model->weights.blocks[static_cast<std::size_t>(focus.block - 1)];
    const double temperature =
        equations_of(c, now.experiment.what_ifs, {focus.block, focus.head, focus.token}).scores.temperature;
    ShownScores shown{row_of_pair(block->queries(), focus.head, focus.token),
                      row_of_pair(block->keys(), focus.head, focus.key),
                      {},
                      row_of_pair(block->scores, focus.head, focus.token),
                      row_of_pair(block->attention, focus.head, focus.token),
                      {},
                      {}};
    for (std::size_t i = 0; i < shown.q.size(); ++i) shown.product.push_back(shown.q[i] * shown.k[i]);
    Tensor2 undivided = tensor2(1, shown.scores.size());
    for (int key = 0; key < static_cast<int>(shown.scores.size()); ++key)
        undivided(0, static_cast<std::size_t>(key)) =
            static_cast<float>(dot_of_pair(shown.q, row_of_pair(block->keys(), focus.head, key)) / temperature) +
            static_cast<float>(position_bias_at(weights, c, focus.head, focus.token, key));
    const Tensor2 without = softmax(undivided);
    shown.undivided.assign(undivided.begin(), undivided.end());
    shown.without.assign(without.begin(), without.end());
    return shown;
}

}  // namespace vitrine
