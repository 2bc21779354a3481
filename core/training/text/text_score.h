#pragma once

#include <span>
#include <vector>

#include "core/base/team.h"
#include "core/text/sentences.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/training/tally.h"

namespace vitrine {

/// The word predicted by a row: the id with the largest logit.
int predicted_word(const TextTrace& trace, std::size_t row);

/// The first row of each example in a packed pass: in the encoder and in the decoder.
struct PackedRows {
    std::vector<std::size_t> source, target;

    explicit PackedRows(const TextBatch& batch);
};

/// Scores of the examples in a finished pass: a translation counts once and is correct if every word is (greedy
/// decoding would reproduce it, given a mask), a review once by its label, a story once for each object determined by a
/// colour and an earlier fact.
std::vector<TextScore> scores_of(const TextModel& model, const TextTrace& trace, std::span<const TextExample> examples);

/// The sources of the examples; each target is [BOS] alone.
TextBatch unsaid(const TextModel& model, std::span<const TextExample> examples);

/// Scores of the examples, in a new pass. Without a mask, translations are decoded instead, since the decoder would see
/// the gold words in a pass over them.
std::vector<TextScore> scores_of(const TextModel& model, std::span<const TextExample> examples);

/// The first `count` examples of a stream.
struct ScoredStream {
    TextSet set;
    TextStream stream = TextStream::held_out;
    int count = 1000;
};
/// The total score of these examples, computed by a team; independent of the number of members.
TextScore score(const TextModel& model, const ScoredStream& examples, Team& team);

/// `count` examples of a stream, from number `first` on.
std::vector<TextExample> draw_examples(const ScoredStream& stream, std::uint64_t first, int count);

}  // namespace vitrine
