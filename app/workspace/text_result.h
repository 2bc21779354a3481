#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/text_request.h"
#include "core/measures/text/text_measures.h"
#include "core/measures/text/verdict_head.h"
#include "core/text/decoding.h"
#include "core/text/familiarity.h"
#include "core/text/text_loss.h"
#include "core/training/text/text_evaluation.h"

// Results shown by the Text room: made by app/jobs/text_running, drawn by app/rooms/text.

namespace vitrine {

/// A forward pass with teacher forcing on a correct output, and the probabilities of its words.
struct TeacherForcedText {
    std::vector<std::string> wanted;  // the output's words, with [EOS] at the end except in a story
    bool own = false;                 // the model's own output, since no correct one is known
    TextTrace trace;                  // with `wanted` as the decoder's input
};

/// Result for a text: immutable and shared.
struct TextResult {
    TextRequest request;
    std::shared_ptr<const TextModel> model;
    std::vector<std::string> words;           // the input, as typed
    int left_out = 0;                         // words beyond the model's last position
    TextRun plain;                            // without what-ifs, greedy, without forced words
    TextRun run;                              // as requested
    std::optional<TextRun> swapped;           // `run` with one word of the input replaced
    std::optional<TeacherForcedText> taught;  // for a model with a decoder; in an exercise, with the words of `plain`
    TalliedHead it_head;  // of the encoder: attends from "it" to its noun; found on generated sentences
    std::optional<VerdictHead>
        deciding_head;           // of a classifier: its removal reduces the lead of `plain`'s verdict most
    double lead_without = 0;     // of `run`'s verdict, with `deciding_head` switched off as well
    TalliedHead induction_head;  // of the language model: attends from a word to the one that followed it before
    TextMeasures measures;       // of `run`, for the laboratory; empty unless its job has measured it
    double seconds = 0;          // of `run`
    Familiarity familiarity;     // of the words

    bool empty() const { return words.empty(); }
    bool has_measures() const { return !measures.said.empty(); }
};

/// A result, and a copy of it with its measures.
struct TextMeasured {
    std::shared_ptr<const TextResult> of, result;
};

}  // namespace vitrine
