#include "app/workspace/text_look.h"

#include <algorithm>

namespace vitrine {

namespace {

/// The chapter that a task begins with where the one that is open does not speak of it.
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

bool speaks_of(TextChapter chapter, TextTask task) {
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
        case TextChapter::self_attention:  // its words speak of "it"
        case TextChapter::cross_attention: return task == TextTask::translate;
        case TextChapter::cls: return task == TextTask::sentiment;
        case TextChapter::gpt: return task == TextTask::story;
        case TextChapter::after: return true;
    }
    return true;
}

TextTask TextLook::shown_task() const {
    if (speaks_of(chapter, task)) return task;
    for (const Named<TextTask>& row : text_task_names)
        if (speaks_of(chapter, row.value)) return row.value;
    return task;
}

TextPlace TextLook::place() const {
    switch (shown_task()) {
        case TextTask::translate: return to == TextLanguage::japanese ? TextPlace::to_japanese : TextPlace::to_english;
        case TextTask::sentiment: return TextPlace::review;
        case TextTask::story: return TextPlace::story;
    }
    return TextPlace::to_japanese;
}

void TextLook::forget_words() {
    source = target = -1;
    forced.clear();
    swap = {};
    lab.word.clear();
}

void TextLook::read(const std::string& text) {
    std::string& shown = texts[static_cast<std::size_t>(place())];
    if (shown == text) return;
    shown = text;
    forget_words();
}

void TextLook::choose(TextTask wanted, TextLanguage language) {
    const TextPlace before = place();
    task = wanted;
    to = language;
    if (!speaks_of(chapter, wanted)) chapter = chapter_of(wanted);
    if (place() != before) forget_words();
}

void TextLook::enter(TextChapter wanted) {
    const TextPlace before = place();
    chapter = wanted;
    lab.open = false;
    if (place() != before) forget_words();
}

bool TextLook::back() {
    if (swap.place >= 0) return swap = {}, true;
    if (!forced.empty()) return forced.clear(), true;
    if (head >= 0) return head = -1, true;
    if (source >= 0 || target >= 0) return source = target = -1, true;
    if (lab.open) return lab.open = false, true;
    return false;
}

}  // namespace vitrine
