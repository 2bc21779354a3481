#include "app/workspace/text_look.h"

#include <algorithm>
#include <optional>

#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

namespace {

/// The default chapter of a task, if the open one does not cover it.
TextChapter chapter_of(TextTask task) {
    switch (task) {
        case TextTask::translate: return TextChapter::cross_attention;
        case TextTask::sentiment: return TextChapter::cls;
        case TextTask::story: return TextChapter::gpt;
    }
    return TextChapter::tokens;
}

}  // namespace

int place_of(TextChapter chapter) {
    const auto* const found = std::ranges::find(text_chapter_names, chapter, &Named<TextChapter>::value);
    return static_cast<int>(found - std::begin(text_chapter_names));
}

int place_of(TextInstrument instrument) {
    const auto* const found = std::ranges::find(text_instrument_names, instrument, &Named<TextInstrument>::value);
    return static_cast<int>(found - std::begin(text_instrument_names));
}

bool is_about_choices(TextChapter chapter) {
    return chapter == TextChapter::generator || chapter == TextChapter::loss || chapter == TextChapter::decoding;
}

bool is_about(TextChapter chapter, TextTask task) {
    switch (chapter) {
        case TextChapter::tokens:
        case TextChapter::embedding:
        case TextChapter::patches: return true;
        case TextChapter::encoder: return task != TextTask::story;
        case TextChapter::mask:
        case TextChapter::masked_attention:
        case TextChapter::generator:
        case TextChapter::loss:
        case TextChapter::decoding: return task != TextTask::sentiment;
        case TextChapter::self_attention:  // its texts are about "it"
        case TextChapter::cross_attention: return task == TextTask::translate;
        case TextChapter::cls: return task == TextTask::sentiment;
        case TextChapter::gpt: return task == TextTask::story;
        case TextChapter::after: return true;
    }
    return true;
}

TextTask TextExperiment::task_in(TextChapter chapter) const {
    if (is_about(chapter, task)) return task;
    for (const Named<TextTask>& row : text_task_names)
        if (is_about(chapter, row.value)) return row.value;
    return task;
}

TextPlace TextExperiment::place_in(TextChapter chapter) const {
    switch (task_in(chapter)) {
        case TextTask::translate: return to == TextLanguage::japanese ? TextPlace::to_japanese : TextPlace::to_english;
        case TextTask::sentiment: return TextPlace::review;
        case TextTask::story: return TextPlace::story;
    }
    return TextPlace::to_japanese;
}

void TextDraft::forget_words() const {
    look.source = look.target = -1;
    look.lab.word.clear();
    experiment.forced.clear();
    experiment.swap = {};
}

void TextDraft::forget_model() const {
    forget_words();
    std::erase_if(experiment.what_ifs, [](const std::string& word) {
        const std::optional<KnownWhatIf> known = known_text_what_if(word);
        return known && (known->value.where.head || known->value.where.block);
    });
}

void TextDraft::read(const std::string& text) const {
    std::string& shown = experiment.texts[static_cast<std::size_t>(place())];
    if (shown == text) return;
    shown = text;
    forget_words();
}

void TextDraft::choose(TextTask wanted, TextLanguage language) const {
    const TextPlace before = place();
    experiment.task = wanted;
    experiment.to = language;
    if (!is_about(look.chapter, wanted)) look.chapter = chapter_of(wanted);
    if (place() != before) forget_model();
}

void TextDraft::enter(TextChapter wanted) const {
    const TextPlace before = place();
    if (is_about_choices(wanted) && !is_about_choices(look.chapter) && is_untouched())
        experiment.task = TextTask::story;
    look.chapter = wanted;
    look.lab.open = false;
    if (place() != before) forget_model();
}

bool TextDraft::is_untouched() const {
    if (!experiment.what_ifs.empty() || !experiment.forced.empty() || experiment.swap.place >= 0) return false;
    return std::ranges::any_of(text_samples(task(), experiment.to),
                               [this](const TextSample& sample) { return sample.source == text(); });
}

bool TextDraft::back() const {
    if (experiment.swap.place >= 0) return experiment.swap = {}, true;
    if (!experiment.forced.empty()) return experiment.forced.clear(), true;
    if (look.head >= 0) return look.head = -1, true;
    if (look.source >= 0 || look.target >= 0) return look.source = look.target = -1, true;
    if (look.lab.open) return look.lab.open = false, true;
    return false;
}

}  // namespace vitrine
