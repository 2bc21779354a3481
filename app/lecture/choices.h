#pragma once

#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

class Commands;
struct Frame;
struct Lecture;

// A question's choices for the class, with the hands counted for each.

/// How choices are shown.
struct ChoicesLook {
    Font font = Font::body;
    bool answered = false;  // marks the correct one, with each choice's share of the hands
    bool counts = false;    // with buttons to count hands
    bool beside = false;    // buttons at the right of the words instead of below them
    const std::string& language;
};
/// Draws the choices of the lecture's stop at ImGui's cursor; nothing if it has none.
void choice_rows(const Ui& ui, const Lecture& lecture, const ChoicesLook& look, Commands& commands);
/// Height of the stop's choices with the answer, so that showing it does not change the font; 0 if it has none.
float height_of_choices(const Ui& ui, const Lecture& lecture, const ChoicesLook& look);

/// True if the stop in sight has choices.
bool has_choices_here(const Frame& frame);
/// Draws the choices of the stop in sight for the lecture's reading panel, without buttons to count hands.
void choices_here(const Frame& frame);

}  // namespace vitrine
