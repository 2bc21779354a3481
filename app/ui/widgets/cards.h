#pragma once

#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {

/// A small box with words, for the shape of a tensor ("65 × 64") or a state; `color` is that of its subject.
void tag(const Ui& ui, const std::string& id, const std::string& words, Color color);

struct TagFigure {
    std::string words;
    Color color;
};

/// The same as a figure, centred at a point; returns its rectangle.
Rect tag_figure(Canvas& canvas, const Ui& ui, Point centre, const TagFigure& tag);

/// Wrapped text at ImGui's cursor, across the remaining width.
void paragraph(const Ui& ui, const RichText& text);
/// The same in the body font and the text colour.
void paragraph(const Ui& ui, const std::string& markup);

/// Content of a card: instructions where there is nothing to show, or an error message.
struct Card {
    std::string id;
    std::string title;
    std::string words = {};    // one or two sentences; markup allowed
    std::string action = {};   // label of its button "<id>.action"; none if empty
    std::string dismiss = {};  // tooltip of its × "<id>.close"; none if empty
};

enum class CardClick { none, action, dismissed };

/// A card with instructions in the middle of the remaining space.
CardClick empty_card(const Ui& ui, const Card& card);
/// An error across the remaining width; stays until dismissed.
CardClick error_card(const Ui& ui, const Card& card);

/// Begins a card over the existing content, at a rectangle of the window; the caller ends it with end_card.
void begin_card(const Ui& ui, const char* id, Rect rect, Color ground);
void end_card();

struct Waiting {
    std::string id;
    std::string words;        // the activity
    float fraction = 0;       // 0 … 1; below 0: unknown
    std::string cancel = {};  // label of its button "<id>.cancel"; none if empty
    bool moves = true;        // animated while the fraction is unknown; false where animation is off
};

/// A progress bar; true when cancel is clicked.
bool progress_bar(const Ui& ui, const Waiting& waiting);

}  // namespace vitrine
