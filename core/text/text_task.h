#pragma once

#include "core/base/names.h"

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

/// The input language: for a translation the other one, English in the other tasks.
constexpr TextLanguage source_language(TextTask task, TextLanguage to) {
    return task == TextTask::translate && to == TextLanguage::english ? TextLanguage::japanese : TextLanguage::english;
}
/// The output language.
constexpr TextLanguage target_language(TextTask task, TextLanguage to) {
    return task == TextTask::translate ? to : TextLanguage::english;
}

}  // namespace vitrine
