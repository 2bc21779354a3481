#pragma once

#include <span>
#include <vector>

#include "core/base/team.h"
#include "core/text/sentences.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"

namespace vitrine {

/// How much a model was asked and how much of that it said rightly.
struct TextScore {
    int asked = 0, right = 0;

    double share() const { return asked > 0 ? static_cast<double>(right) / asked : 0; }
    TextScore& operator+=(const TextScore& other) {
        asked += other.asked;
        right += other.right;
        return *this;
    }
};

/// The id that a row of the generator's logits says: the largest one's.
int said_by(const TextTrace& trace, std::size_t row);

/// Where the words of example i of a pass begin in its packed rows: of the encoder's, and of the decoder's.
struct PackedRows {
    std::vector<std::size_t> source, target;

    explicit PackedRows(const TextBatch& batch);
};

/// Of each example of a finished pass: a translation counts once and is right where every word is (decoded greedily it
/// comes out right, if the decoder is masked), a review once by its label, a story once for each object that a colour
/// and a fact far before it fix.
std::vector<TextScore> scores_of(const TextModel& model, const TextTrace& trace, std::span<const TextExample> examples);

/// Examples with nothing said of their targets but [BOS].
TextBatch unsaid(const TextModel& model, std::span<const TextExample> examples);

/// The same without a pass of the caller's; a translation is decoded where the decoder sees later words, for then a
/// pass over the true words tells nothing.
std::vector<TextScore> scores_of(const TextModel& model, std::span<const TextExample> examples);

/// Of `count` examples of a stream, by all members of a team; no number of members changes it.
struct ScoredStream {
    TextSet set;
    TextStream stream = TextStream::held_out;
    int count = 1000;
};
TextScore score(const TextModel& model, const ScoredStream& examples, Team& team);

/// Examples of a stream, from a number on.
std::vector<TextExample> draw_examples(const ScoredStream& stream, std::uint64_t first, int count);

}  // namespace vitrine
