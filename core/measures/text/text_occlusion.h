#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/text/text_kinds.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// An input word: of the source, or of the decoder's input.
struct ReadWord {
    Stack stack = Stack::encoder;
    int place = 0;

    bool operator==(const ReadWord&) const = default;
};

/// A run of one text with the prediction of each of its rows: T words, or a class.
struct TextOcclusionOf {
    const TextModel& model;
    const TextTrace& trace;
    std::span<const int> said;  // (T) or (1), the predicted word or class of each row
    std::span<const Intervention> what_ifs = {};
};

/// Fall of the log probability of each prediction, in nats, when one input word is covered and all others stay (teacher
/// forcing). Special words are not covered. Below 0: it rose. 0 for rows before a covered word of the decoder, because
/// of the mask.
struct TextOcclusion {
    std::vector<ReadWord> covered;
    Tensor2 drop;                         // (covered, T), or (covered, 1)
    std::vector<double> log_probability;  // of the predictions, uncovered
};
TextOcclusion text_occlusion(const TextOcclusionOf& of, WordCover cover, const Progress& progress = {});

}  // namespace vitrine
