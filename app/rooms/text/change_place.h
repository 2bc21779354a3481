#pragma once

#include <string>

#include "app/workspace/text_look.h"

namespace vitrine {

struct TextTold;

/// The chapter of the task in view that shows a what-if: the open one if it does.
TextChapter chapter_of_change(const TextTold& told, const std::string& word);
/// The same for a replaced word, and for a prescribed one.
TextChapter chapter_of_swap(const TextTold& told);
TextChapter chapter_of_forced(const TextLook& look);

/// Leads to a chapter, with the head and the layer of a what-if chosen, if it names any.
void show_change(TextLook& look, TextChapter chapter, const std::string& word = {});

}  // namespace vitrine
