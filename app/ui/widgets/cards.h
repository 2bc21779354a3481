#pragma once

#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {

/// A small box with words, for the shape of a tensor ("65 × 64") or a state; `color` is of what it belongs to.
void tag(const Ui& ui, const std::string& id, const std::string& words, Color color);

struct TagFigure {
    std::string words;
    Color color;
};

/// The same as a figure, centred at a point; returns its rectangle.
Rect tag_figure(Canvas& canvas, const Ui& ui, Point centre, const TagFigure& tag);

/// Wrapped text at ImGui's cursor, as wide as what is left.
void paragraph(const Ui& ui, const RichText& text);
/// The same in the body font and the text's colour.
void paragraph(const Ui& ui, const std::string& markup);

/// What a place says while it has nothing to show, or when something went wrong.
struct Card {
    std::string id;
    std::string title;
    std::string words = {};    // one or two sentences; markup allowed
    std::string action = {};   // the words of its button "<id>.action"; none if empty
    std::string dismiss = {};  // the tooltip of its × "<id>.close"; none if empty
};

enum class CardClick { none, action, dismissed };

/// In the middle of what is left: says what to do here.
CardClick empty_card(const Ui& ui, const Card& card);
/// As wide as what is left: an error stays until it is read.
CardClick error_card(const Ui& ui, const Card& card);

/// A card over what is there, at a place of the window; the caller ends it with end_card.
void begin_card(const Ui& ui, const char* id, Rect rect, Color ground);
void end_card();

struct Waiting {
    std::string id;
    std::string words;        // what is being done
    float fraction = 0;       // 0 … 1; below 0: not known
    std::string cancel = {};  // the words of its button "<id>.cancel"; none if empty
};

/// A progress bar; true when cancel is pressed.
bool progress_bar(const Ui& ui, const Waiting& waiting);

}  // namespace vitrine
