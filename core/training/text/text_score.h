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
int said_by(const TextTrace& trace, std::size_t row);

/// First packed rows of example i in a pass: of the encoder and of the decoder.
struct PackedRows {
    std::vector<std::size_t> source, target;

    explicit PackedRows(const TextBatch& batch);
};

/// Scores of the examples in a finished pass: a translation counts once and is right if every word is (greedy decoding
/// would reproduce it, given a mask), a review once by its label, a story once for each object determined by a colour
/// and an earlier fact.
std::vector<TextScore> scores_of(const TextModel& model, const TextTrace& trace, std::span<const TextExample> examples);

/// Examples with targets of only [BOS].
TextBatch unsaid(const TextModel& model, std::span<const TextExample> examples);

/// The same without an existing pass; a translation is decoded if the decoder sees later words, since then a pass over
/// the gold words proves nothing.
std::vector<TextScore> scores_of(const TextModel& model, std::span<const TextExample> examples);

/// Scores of `count` examples of a stream, computed by a team; independent of the number of members.
struct ScoredStream {
    TextSet set;
    TextStream stream = TextStream::held_out;
    int count = 1000;
};
TextScore score(const TextModel& model, const ScoredStream& examples, Team& team);

/// Examples of a stream from a number on.
std::vector<TextExample> draw_examples(const ScoredStream& stream, std::uint64_t first, int count);

}  // namespace vitrine
