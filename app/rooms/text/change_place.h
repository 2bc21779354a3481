#pragma once

#include <string>

#include "app/workspace/text_look.h"

namespace vitrine {

struct TextTold;

/// The chapter that shows a what-if: the open one if it does, else one about the task in view.
TextChapter chapter_of_change(const TextTold& told, const std::string& word);
/// The same for a replaced word.
TextChapter chapter_of_swap(const TextTold& told);
/// The same for a forced word.
TextChapter chapter_of_forced(const TextLook& look);

/// Opens a chapter, and chooses the head and layer of a what-if `word`, if it names any.
void show_change(TextLook& look, TextChapter chapter, const std::string& word = {});

}  // namespace vitrine
