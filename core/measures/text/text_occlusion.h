#pragma once

#include <span>
#include <vector>

#include "core/measures/text/word_cover.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// A word that is read: of the source, or of what the decoder reads.
struct ReadWord {
    Stack stack = Stack::encoder;
    int place = 0;

    bool operator==(const ReadWord&) const = default;
};

/// A run of one text with what each of its rows said: T words, or a class.
struct TextOcclusionOf {
    const TextModel& model;
    const TextTrace& trace;
    std::span<const int> said;
    std::span<const Intervention> what_ifs = {};
};

/// By how much the log probability of what was said falls, in nats, where one word that is read is covered and the
/// others stay as they are (teacher forcing). Special words are not covered. Below 0: it rose. A row before a covered
/// word of the decoder is 0 behind its mask.
struct TextOcclusion {
    std::vector<ReadWord> covered;
    Tensor2 drop;                         // (covered, T), or (covered, 1)
    std::vector<double> log_probability;  // of what was said, uncovered
};
TextOcclusion text_occlusion(const TextOcclusionOf& of, WordCover cover);

}  // namespace vitrine
