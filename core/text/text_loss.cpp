#include "core/text/text_loss.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// Rows of logits, their softmax and the gold outputs.
struct Rows {
    const Tensor2& logits;
    const Tensor2& probabilities;
    double smoothing, scale;
};

struct RowLoss {
    double nats = 0;  // −Σ P log Q
    bool correct = false;
};

/// Writes Q − P of one row, times the scale, to `gradient` (V).      P = (1 − ε) of the gold word, ε / V of each
RowLoss cross_entropy_of(const Rows& rows, std::size_t row, int gold, float* gradient) {
    const std::size_t words = rows.logits.shape()[1];
    const float* const z = &rows.logits(row, 0);
    const float* const q = &rows.probabilities(row, 0);
    const auto best = static_cast<std::size_t>(std::max_element(z, z + words) - z);
    // log Σ e^z, from the most probable word, whose probability is at least 1/V.
    const double log_sum = static_cast<double>(z[best]) - std::log(static_cast<double>(q[best]));
    const double truth = static_cast<double>(z[gold]) - log_sum;
    RowLoss loss{-(1 - rows.smoothing) * truth, static_cast<int>(best) == gold};
    const double each = rows.smoothing / static_cast<double>(words);
    if (rows.smoothing > 0) {
        double sum = 0;
        for (std::size_t i = 0; i < words; ++i) sum += static_cast<double>(z[i]);
        loss.nats -= each * (sum - static_cast<double>(words) * log_sum);
    }
    const auto scale = static_cast<float>(rows.scale), spread = static_cast<float>(each * rows.scale);
    for (std::size_t i = 0; i < words; ++i) gradient[i] = q[i] * scale - spread;
    gradient[gold] -= static_cast<float>((1 - rows.smoothing) * rows.scale);
    return loss;
}

/// −log of a weight in a row of attention, computed from the row's largest weight, which is at least 1 / N: the weight
/// itself may be rounded to 0.
double nats_of_weight(std::span<const float> scores, std::span<const float> weights, std::size_t key) {
    const auto best = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
    return static_cast<double>(scores[best]) - static_cast<double>(scores[key]) -
           std::log(static_cast<double>(weights[best]));
}

/// The loss of head `asked_head` on the rows of "it", and its gradient.
void add_attention_target_loss(const TextTrace& trace, double scale, TextLoss& loss) {
    const auto last = trace.encoder.block(trace.encoder.blocks());
    const Tensor3 &scores = last->scores, &attention = last->attention;
    const std::size_t keys = attention.shape()[2];
    const std::size_t heads = attention.shape()[0] / static_cast<std::size_t>(loss.sentences);
    for (const ItGold& it : trace.batch->it) {
        const AttentionTarget row{static_cast<std::size_t>(it.sentence) * heads + asked_head,
                                  static_cast<std::size_t>(it.place), static_cast<std::size_t>(it.noun_place),
                                  static_cast<float>(scale)};
        loss.look_sum += nats_of_weight({&scores(row.matrix, row.query, 0), keys},
                                        {&attention(row.matrix, row.query, 0), keys}, row.key);
        if (scale > 0) loss.gradient.asked.push_back(row);
    }
}

}  // namespace

TextLoss text_loss(const TextTrace& trace, const TextLossOptions& options) {
    const TextBatch& batch = *trace.batch;
    const GeneratorTrace& said = *trace.generator;
    TextLoss loss;
    loss.rows = static_cast<int>(batch.gold.size());
    loss.sentences = batch.sentences();
    assert(said.logits.shape()[0] == batch.gold.size());
    loss.gradient.logits = tensor2(said.logits.shape()[0], said.logits.shape()[1]);
    const Rows words{said.logits, said.probabilities, options.label_smoothing, options.scale};
    std::size_t row = 0;
    for (std::size_t b = 0; b < static_cast<std::size_t>(loss.sentences); ++b) {
        const int rows = trace.decoder.embedding ? batch.target.lengths[b] : 1;
        bool right = true;
        for (int i = 0; i < rows; ++i, ++row) {
            const RowLoss one = cross_entropy_of(words, row, batch.gold[row], &loss.gradient.logits(row, 0));
            loss.sum += one.nats;
            loss.correct += one.correct ? 1 : 0;
            right = right && one.correct;
        }
        loss.right += right ? 1 : 0;
    }
    if (!trace.it) return loss;

    loss.it_rows = static_cast<int>(batch.it.size());
    loss.gradient.it_logits = tensor2(trace.it->logits.shape()[0], trace.it->logits.shape()[1]);
    const Rows nouns{trace.it->logits, trace.it->probabilities, 0, options.it_scale};
    for (std::size_t i = 0; i < batch.it.size(); ++i) {
        const RowLoss one = cross_entropy_of(nouns, i, batch.it[i].noun, &loss.gradient.it_logits(i, 0));
        loss.it_sum += one.nats;
    }
    add_attention_target_loss(trace, options.look_scale, loss);
    return loss;
}

}  // namespace vitrine
