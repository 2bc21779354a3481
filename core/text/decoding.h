#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/decoded_text.h"
#include "core/text/text_writer.h"

namespace vitrine {

/// Writes a target for a source, or goes on with a language model's prompt. The batch has one text; its target ([BOS],
/// or [BOS] and a prompt) is what production begins behind. A beam chooses the greatest probability, whatever the
/// length.
DecodedText decode(const TextModel& model, const TextBatch& text, const Decoding& how,
                   std::span<const Intervention> interventions = {});

/// Greedy decoding of many texts at once, for evaluation; the targets are as long as one another.
///
///   ->  the words of each text, without [BOS] and [EOS]
std::vector<std::vector<int>> decode_greedily(const TextModel& model, TextBatch texts,
                                              std::span<const Intervention> interventions = {});

/// Everything that a room or the command line shows of one text.
struct TextRun {
    std::vector<std::string> input;   // the words that were read, as they were given
    DecodedText decoded;              // nothing of a classifier
    std::vector<std::string> output;  // its words; of a classifier the label alone
    int label = -1;                   // of a classifier
    TextTrace trace;                  // over the text and all that was produced: row t led to word t + 1
};

/// Reads words and produces: decodes, then runs one pass over all of it. Throws Error where the model has not places
/// enough for the words.
TextRun run_text(const TextModel& model, std::span<const std::string> words, const Decoding& how = {},
                 std::span<const Intervention> interventions = {});

}  // namespace vitrine
