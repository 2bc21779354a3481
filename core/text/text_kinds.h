#pragma once

#include "core/base/names.h"

// Names of the tasks of text Transformers, their attentions, covers and ways of decoding.

namespace vitrine {

/// Task of a text Transformer.
enum class TextTask {
    translate,  ///< English to Japanese, or back: encoder and decoder
    sentiment,  ///< sentiment of a review: encoder with [CLS]
    story,      ///< continuing a story: decoder only
};
inline constexpr Named<TextTask> text_task_names[] = {
    {TextTask::translate, "translate"}, {TextTask::sentiment, "sentiment"}, {TextTask::story, "story"}};
constexpr const char* name_of(TextTask task) { return name_in(text_task_names, task); }

enum class TextLanguage { english, japanese };
inline constexpr Named<TextLanguage> text_language_names[] = {{TextLanguage::english, "en"},
                                                              {TextLanguage::japanese, "ja"}};
constexpr const char* name_of(TextLanguage language) { return name_in(text_language_names, language); }

/// The input language: for a translation, the language that is not `to`; English for other tasks.
constexpr TextLanguage source_language(TextTask task, TextLanguage to) {
    return task == TextTask::translate && to == TextLanguage::english ? TextLanguage::japanese : TextLanguage::english;
}
/// The output language.
constexpr TextLanguage target_language(TextTask task, TextLanguage to) {
    return task == TextTask::translate ? to : TextLanguage::english;
}

/// The kinds of attention in a text Transformer.
enum class TextAttention { encoder, decoder, cross };
inline constexpr Named<TextAttention> text_attention_names[] = {
    {TextAttention::encoder, "encoder"}, {TextAttention::decoder, "decoder"}, {TextAttention::cross, "cross"}};
constexpr const char* name_of(TextAttention attention) { return name_in(text_attention_names, attention); }

/// Choice of the next word.
enum class DecodingMethod {
    greedy,  ///< the most probable one
    beam,    ///< beam search: keeps the `width` most probable hypotheses
    sample,  ///< sampled
};
inline constexpr Named<DecodingMethod> decoding_methods[] = {
    {DecodingMethod::greedy, "greedy"}, {DecodingMethod::beam, "beam"}, {DecodingMethod::sample, "sample"}};

/// When decoding stops.
enum class Ending {
    at_eos,      ///< at the first [EOS]
    at_longest,  ///< when the positions run out: [EOS] counts as a word, a common mistake in course code
};

/// The replacement of a covered word; its position stays.
enum class WordCover {
    unknown,  ///< [UNK], a word that never appears in training
    nothing,  ///< no word: a zero vector before the position is added
};
inline constexpr Named<WordCover> word_cover_names[] = {{WordCover::unknown, "unknown"},
                                                        {WordCover::nothing, "nothing"}};

}  // namespace vitrine
