#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/text_request.h"
#include "core/measures/text/text_measures.h"
#include "core/text/decoding.h"
#include "core/text/text_loss.h"
#include "core/training/text/text_evaluation.h"

// What the Text room shows: made by app/jobs/text_running, drawn by app/rooms/text.

namespace vitrine {

/// A reading that would have been right, and what the model gives for each of its words.
struct TaughtText {
    std::vector<std::string> wanted;  // the words, [EOS] at last
    bool own = false;                 // the model's own text, since no right one is known
    TextTrace trace;                  // the pass with those words as the decoder's input
};

/// What a text gave: immutable, shared by all who look at it.
struct TextResult {
    TextRequest request;  // what this answers
    std::shared_ptr<const TextModel> model;
    std::vector<std::string> words;    // that are read, as typed
    int left_out = 0;                  // words behind the last place of the model
    TextRun plain;                     // without what-ifs, greedily, nothing taken
    TextRun run;                       // as asked for
    std::optional<TextRun> swapped;    // the same with another word in one place
    std::optional<TaughtText> taught;  // of a model with a decoder; where code is mistaken, `plain`'s words
    TalliedHead it_head;               // the encoder's, from "it" to its noun, in sentences drawn by code
    TalliedHead deciding_head;         // a classifier's: from [CLS] to the words that decide
    TalliedHead induction_head;        // the language model's: from a word to what followed it before
    TextMeasures measures;             // of `run`: what the laboratory shows; empty where the text is
    double seconds = 0;                // of `run`

    bool empty() const { return words.empty(); }
};

}  // namespace vitrine
