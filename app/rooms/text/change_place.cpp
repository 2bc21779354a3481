#include "app/rooms/text/change_place.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "app/rooms/text/chapter.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

namespace {

const TextChapterRow& row_of(TextChapter chapter) {
    return text_chapters()[static_cast<std::size_t>(place_of(chapter))];
}

/// True for a what-if about heads of an attention.
bool is_of_heads(std::string_view name) { return name == "head" || name == "only"; }

/// True if a chapter shows a what-if: with its switch, its slider or its heads.
bool shows_change(const TextTold& told, TextChapter chapter, const std::string& word, const KnownWhatIf& known) {
    const TextChapterRow& row = row_of(chapter);
    const std::string_view name = known.row->name;
    if (row.switches != nullptr) {
        const std::vector<std::string> offered = row.switches(told);
        if (std::ranges::find(offered, word) != offered.end()) return true;
    }
    if (std::ranges::any_of(row.sliders, [&](std::string_view slider) { return slider == name; })) return true;
    const std::optional<TextAttention> attention = attention_of_chapter(chapter);
    if (name == "only") return attention.has_value();
    return name == "head" && attention == attention_at(known.value.where);
}

/// The chapters about a what-if, the usual one first; the task in view decides which of them it has.
std::vector<TextChapter> chapters_about(const KnownWhatIf& known) {
    using enum TextChapter;
    const std::string_view name = known.row->name;
    if (name == "no-mask" || name == "mask-off-by-one") return {mask};
    if (name == "no-root" || name == "no-positions") return {embedding};
    if (name == "no-cross") return {cross_attention};
    if (name.ends_with("-norm")) return {encoder, gpt};
    const TextAttention attention = attention_at(known.value.where);
    if (name == "layer" && attention == TextAttention::encoder) return {encoder};
    if (name == "layer") return {masked_attention, gpt};
    if (name == "head" && attention == TextAttention::cross) return {cross_attention};
    if (name == "head" && attention == TextAttention::decoder) return {masked_attention, gpt};
    return {self_attention, cls, gpt};
}

TextTask task_in_view(const TextTold& told) { return told.experiment.task_in(told.look().chapter); }

}  // namespace

TextChapter chapter_of_change(const TextTold& told, const std::string& word) {
    const TextChapter open = told.look().chapter;
    const std::optional<KnownWhatIf> known = known_text_what_if(word);
    if (!known) return open;
    if (shows_change(told, open, word, *known)) return open;
    for (const TextChapter chapter : chapters_about(*known))
        if (is_about(chapter, task_in_view(told))) return chapter;
    return open;
}

TextChapter chapter_of_swap(const TextTold& told) {
    using enum TextChapter;
    const TextChapter open = told.look().chapter;
    if (row_of(open).own.swaps) return open;
    for (const TextChapter chapter : {self_attention, cls, gpt})
        if (is_about(chapter, task_in_view(told))) return chapter;
    return open;
}

TextChapter chapter_of_forced(const TextLook& look) {
    return is_about_choices(look.chapter) ? look.chapter : TextChapter::decoding;
}

void show_change(TextLook& look, TextChapter chapter, const std::string& word) {
    look.chapter = chapter;
    look.lab.open = false;
    const std::optional<KnownWhatIf> known = known_text_what_if(word);
    if (!known) return;
    const Where& where = known->value.where;
    if (where.block) look.block = *where.block;
    if (is_of_heads(known->row->name)) look.head = where.head.value_or(0);
}

}  // namespace vitrine
