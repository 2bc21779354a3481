#include "core/training/text/text_score.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/base/denormals.h"
#include "core/text/decoding.h"

namespace vitrine {

namespace {

constexpr int scored_at_once = 32;  // examples per pass

/// A translation is correct if all its words are.
TextScore score_of_sentence(const TextTrace& trace, std::size_t first, std::size_t rows) {
    for (std::size_t row = first; row < first + rows; ++row)
        if (predicted_word(trace, row) != trace.batch->gold[row]) return {1, 0};
    return {1, 1};
}

/// The score of a story's objects. Row p of its pass predicts the word at position p; row 0 is [BOS].
TextScore score_of_story(const TextTrace& trace, std::size_t first, const TextExample& example) {
    TextScore score;
    for (const FarWord& far : example.far) {
        if (far.kind != FarKind::object) continue;
        const std::size_t row = first + static_cast<std::size_t>(far.position);
        score += {1, predicted_word(trace, row) == trace.batch->gold[row] ? 1 : 0};
    }
    return score;
}

}  // namespace

int predicted_word(const TextTrace& trace, std::size_t row) {
    const Tensor2& logits = trace.generator->logits;
    const std::size_t words = logits.shape()[1];
    const float* const z = logits.data() + row * words;
    return static_cast<int>(std::max_element(z, z + words) - z);
}

PackedRows::PackedRows(const TextBatch& batch) {
    const auto starts = [](const PackedSentences& sentences) {
        std::vector<std::size_t> at;
        std::size_t next = 0;
        for (const int length : sentences.lengths) {
            at.push_back(next);
            next += static_cast<std::size_t>(length);
        }
        return at;
    };
    source = starts(batch.source);
    target = starts(batch.target);
}

std::vector<TextScore> scores_of(const TextModel& model, const TextTrace& trace,
                                 std::span<const TextExample> examples) {
    const PackedRows rows(*trace.batch);
    const auto score_of = [&](std::size_t i) -> TextScore {
        if (model.task == TextTask::sentiment) return {1, predicted_word(trace, i) == examples[i].label ? 1 : 0};
        if (model.task == TextTask::story) return score_of_story(trace, rows.target[i], examples[i]);
        return score_of_sentence(trace, rows.target[i], static_cast<std::size_t>(trace.batch->target.lengths[i]));
    };
    std::vector<TextScore> scores;
    for (std::size_t i = 0; i < examples.size(); ++i) scores.push_back(score_of(i));
    return scores;
}

TextBatch unsaid(const TextModel& model, std::span<const TextExample> examples) {
    TextBatch batch = text_batch(model, examples);
    batch.target = {};
    batch.gold.clear();
    for (std::size_t i = 0; i < examples.size(); ++i) batch.target.add(std::array{bos_id});
    return batch;
}

std::vector<TextScore> scores_of(const TextModel& model, std::span<const TextExample> examples) {
    if (model.task != TextTask::translate || model.config.causal)
        return scores_of(model, text_forward(model, text_batch(model, examples)), examples);
    const std::vector<std::vector<int>> said = decode_greedily(model, unsaid(model, examples));
    std::vector<TextScore> scores;
    for (std::size_t i = 0; i < examples.size(); ++i)
        scores.push_back({1, said[i] == model.target.ids(examples[i].target) ? 1 : 0});
    return scores;
}

TextScore score(const TextModel& model, const ScoredStream& stream, Team& team) {
    std::atomic<int> next = 0, asked = 0, right = 0;
    team.run([&](int) {
        const FlushDenormals flush;
        for (int first = next.fetch_add(scored_at_once); first < stream.count; first = next.fetch_add(scored_at_once)) {
            const std::vector<TextExample> examples = draw_examples(stream, static_cast<std::uint64_t>(first),
                                                                    std::min(scored_at_once, stream.count - first));
            for (const TextScore& s : scores_of(model, examples)) {
                asked += s.asked;
                right += s.right;
            }
        }
    });
    return {asked, right};
}

std::vector<TextExample> draw_examples(const ScoredStream& stream, std::uint64_t first, int count) {
    std::vector<TextExample> examples;
    for (int i = 0; i < count; ++i)
        examples.push_back(draw_example(stream.set, stream.stream, first + static_cast<std::uint64_t>(i)));
    return examples;
}

}  // namespace vitrine
