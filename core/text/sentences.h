#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/text/text_example.h"
#include "core/text/text_kinds.h"
#include "core/text/vocabulary.h"

namespace vitrine {

/// An endless set of generated sentences: example i is a function of the set, the stream and i, the same on every
/// platform.
struct TextSet {
    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;  // target language of a translation
    std::uint64_t seed = 1;
};

/// Subsets of the examples. Streams never share an example, whatever the seeds.
enum class TextStream {
    learning,  ///< training: no held-out pair of words
    held_out,  ///< at least one held-out pair: verb and object, adjective and noun, animal and street …
    fresh,     ///< no held-out pair, but set aside: one example in sixteen, chosen by its words
};
inline constexpr Named<TextStream> text_stream_names[] = {
    {TextStream::learning, "learning"}, {TextStream::held_out, "held_out"}, {TextStream::fresh, "fresh"}};
constexpr const char* name_of(TextStream stream) { return name_in(text_stream_names, stream); }

TextExample draw_example(const TextSet& set, TextStream stream, std::uint64_t number);

/// Most words in an example on either side, without special tokens.
int longest_text(TextTask task);

/// All words that may be drawn; reviews and stories have one vocabulary each. The other direction of translation has
/// the same two vocabularies, swapped.
Vocabulary source_vocabulary(TextTask task, TextLanguage to);
Vocabulary target_vocabulary(TextTask task, TextLanguage to);

/// "bad", "good": the labels of reviews, in the order of their classes.
std::vector<std::string> sentiment_labels();

}  // namespace vitrine
