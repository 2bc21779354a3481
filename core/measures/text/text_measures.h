#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/measures/text/text_heads.h"
#include "core/measures/text/text_ledger.h"
#include "core/measures/text/text_occlusion.h"
#include "core/measures/text/text_rollout.h"
#include "core/text/decoding.h"

namespace vitrine {

/// All measures of a run that the Text room's laboratory shows; they take a few dozen passes over one sentence.
/// Immutable.
struct TextMeasures {
    std::vector<int> said;                       // by row: the word produced from it, or the class
    std::vector<TextHeadStatistics> statistics;  // by kind of attention in the model
    TextRollout rollout;
    std::vector<Tensor2> lens;        // ℓ = 0 … L, (T, V) or (1, classes)
    std::vector<TextLedger> ledgers;  // by row
    TextOcclusion unknown, nothing;   // by kind of cover

    const TextHeadStatistics* of(TextAttention kind) const;
    const TextOcclusion& under(WordCover cover) const { return cover == WordCover::unknown ? unknown : nothing; }
};

/// The prediction of each row of a run: the words and [EOS], or the most probable word after an unfinished text; for a
/// classifier its class.
std::vector<int> words_said(const TextRun& run);

TextMeasures measure_text(const TextModel& model, const TextRun& run, std::span<const Intervention> what_ifs = {},
                          const Progress& progress = {});

}  // namespace vitrine
