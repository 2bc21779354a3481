#pragma once

#include <string>
#include <vector>

#include "app/ui/widgets/rich_text.h"

namespace vitrine {

/// Where words that a glossary explains stand: a term that is broken over two lines has two places.
struct TermPlace {
    std::string term;  // as marked: "{term|softmax}"
    Rect rect;
};

/// The marked terms of a text as `rich_text` draws it there.
std::vector<TermPlace> term_places(const Canvas& canvas, Rect rect, const RichText& text);

}  // namespace vitrine
