#pragma once

#include "core/base/names.h"

namespace vitrine {

/// What a Transformer of words is for.
enum class TextTask {
    translate,  ///< English to Japanese, or back: encoder and decoder
    sentiment,  ///< whether a review is glad: encoder with [CLS]
    story,      ///< how a story goes on: decoder alone
};
inline constexpr Named<TextTask> text_task_names[] = {
    {TextTask::translate, "translate"}, {TextTask::sentiment, "sentiment"}, {TextTask::story, "story"}};
constexpr const char* name_of(TextTask task) { return name_in(text_task_names, task); }

enum class TextLanguage { english, japanese };
inline constexpr Named<TextLanguage> text_language_names[] = {{TextLanguage::english, "en"},
                                                              {TextLanguage::japanese, "ja"}};
constexpr const char* name_of(TextLanguage language) { return name_in(text_language_names, language); }

/// The language that is read: the other one where a translation is made, English in the other tasks.
constexpr TextLanguage source_language(TextTask task, TextLanguage to) {
    return task == TextTask::translate && to == TextLanguage::english ? TextLanguage::japanese : TextLanguage::english;
}
/// The language that is written.
constexpr TextLanguage target_language(TextTask task, TextLanguage to) {
    return task == TextTask::translate ? to : TextLanguage::english;
}

}  // namespace vitrine
