#pragma once

#include <string>
#include <vector>

#include "app/rooms/room.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/focus_words.h"

namespace vitrine {

/// Words with links: terms of the glossary, underlined at their first occurrence and explained on hover or keyboard
/// focus; papers as cited by `citation_of`; and links to an instrument of the laboratory,
/// "{link:lab.ledger|Lab, Logit sources}", or to a figure of its causes, "{link:lab.causes.perturbation|Lab, Causes}".
/// `part` is the second part of the links' probe ids: "term.words.softmax.0".
struct LinkedWords {
    std::string part;
    RichText text;
    bool terms = true;  // mark the glossary's terms
};

/// Draws words wrapped to the rectangle's width; returns their height. A click adds a link's commands.
float linked_words(const Ui& ui, Rect room, const LinkedWords& words, Commands& commands);
/// Draws words at the cursor, across the available width.
void linked_paragraph(const Ui& ui, const LinkedWords& words, Commands& commands);
/// The same in the body font.
void linked_paragraph(const Ui& ui, const std::string& part, const std::string& markup, Commands& commands);

/// Commands that open an instrument of the laboratory, or one of its measures.
std::vector<Command> in_laboratory(std::vector<FocusWord> words);

}  // namespace vitrine
