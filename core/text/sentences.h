#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/text/text_example.h"
#include "core/text/text_task.h"
#include "core/text/vocabulary.h"

namespace vitrine {

/// An endless set of sentences drawn by code: example i is a function of the set, the stream and i alone, the same on
/// every platform.
struct TextSet {
    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;  // a translation's
    std::uint64_t seed = 1;
};

/// Which of them. No example of one stream is an example of another one, whatever the seeds.
enum class TextStream {
    learning,  ///< without a pair of words that is held out
    held_out,  ///< with at least one such pair: verb and object, adjective and noun, animal and street …
    fresh,     ///< without one, yet set aside: one example in sixteen, by its words
};
inline constexpr Named<TextStream> text_stream_names[] = {
    {TextStream::learning, "learning"}, {TextStream::held_out, "held_out"}, {TextStream::fresh, "fresh"}};
constexpr const char* name_of(TextStream stream) { return name_in(text_stream_names, stream); }

TextExample draw_example(const TextSet& set, TextStream stream, std::uint64_t number);

/// Words at most that an example has on either side, special tokens apart.
int longest_text(TextTask task);

/// All words that may be drawn; one vocabulary for reviews, one for stories. Those of a translation's other direction
/// are the same two the other way about.
Vocabulary source_vocabulary(TextTask task, TextLanguage to);
Vocabulary target_vocabulary(TextTask task, TextLanguage to);

/// "bad", "good": the classes of reviews, by label.
std::vector<std::string> sentiment_labels();

}  // namespace vitrine
