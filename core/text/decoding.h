#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/decoded_text.h"
#include "core/text/text_writer.h"

namespace vitrine {

/// Writes a target for a source, or continues a language model's prompt. The batch has one text; its target is [BOS],
/// or [BOS] and a prompt. Beam search maximises the probability, without a correction for length.
DecodedText decode(const TextModel& model, const TextBatch& text, const Decoding& how,
                   std::span<const Intervention> interventions = {});

/// Greedy decoding of many texts at once, for evaluation; all targets must have the same length.
///
///   ->  the words of each text, without [BOS] and [EOS]
std::vector<std::vector<int>> decode_greedily(const TextModel& model, TextBatch texts,
                                              std::span<const Intervention> interventions = {});

/// All results for one text that a room or the command line shows.
struct TextRun {
    std::vector<std::string> input;   // the input words as given
    DecodedText decoded;              // empty for a classifier
    std::vector<std::string> output;  // the decoded words; for a classifier the label
    int label = -1;                   // for a classifier
    TextTrace trace;                  // over the input and the output: row t predicts word t + 1
};

/// Decodes the output for the given words, then runs one pass over all of it. Throws Error if the model has too few
/// positions for the words.
TextRun run_text(const TextModel& model, std::span<const std::string> words, const Decoding& how = {},
                 std::span<const Intervention> interventions = {});

}  // namespace vitrine
