#pragma once

#include <string>
#include <vector>

#include "app/rooms/room.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/focus_words.h"

namespace vitrine {

/// Words of which some lead further: terms of the glossary, underlined where they first occur and explained while they
/// are pointed at or have the keyboard; papers as `citation_of` cites them; and links into the laboratory,
/// "{link:lab.ledger|Lab, Logit sources}". `part` names them for the probe: "term.words.softmax.0".
struct LinkedWords {
    std::string part;
    RichText text;
    bool terms = true;  // whether those of the glossary are marked
};

/// Draws them wrapped into the rectangle's width; returns the height that they take.
float linked_words(const Ui& ui, Rect room, const LinkedWords& words, Commands& commands);
/// At the cursor, as wide as there is room.
void linked_paragraph(const Ui& ui, const LinkedWords& words, Commands& commands);
/// In the body's font.
void linked_paragraph(const Ui& ui, const std::string& part, const std::string& markup, Commands& commands);

/// What leads to an instrument of the laboratory, or to one of its measures.
std::vector<Command> in_laboratory(std::vector<FocusWord> words);

}  // namespace vitrine
