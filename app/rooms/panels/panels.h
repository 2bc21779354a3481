#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/widgets/equation.h"
#include "core/transformer/intervention.h"

namespace vitrine {

class Commands;
struct Config;
struct PanelContext;
struct Fact;
struct Frame;
struct Result;
class Selection;
struct State;
struct Theme;
struct Ui;

using WhatIfs = std::vector<Intervention>;

// Panels that several rooms put around their stage. Each fills the current child window.

/// What a panel about a run reads and points at.
struct Explanation {
    const Ui& ui;
    const Result& now;
    Selection& selection;  // takes the symbol under the pointer
};
Explanation explanation_of(const Frame& frame);

/// Where in the network am I? The encoder as a drawing whose parts are buttons.
void map_panel(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs);

/// The step's equation as typeset, no larger than the rectangle; what is pointed at in it lights up everywhere. Returns
/// its height.
float step_equation(const Explanation& explanation, Rect rect);
/// A typeset equation where the next item goes, no wider than there is room; what is pointed at in it lights up
/// everywhere.
void equation_item(const Ui& ui, Selection& selection, EquationFigure figure);
/// Nothing where it would have to shrink below what a hall can read.
void equation_if_it_fits(const Explanation& explanation, Rect rect);

/// Why, and with which numbers? Equation, numbers, switches, words, question; what is changed; the prediction.
void explanation_panel(const Frame& frame);
/// The head of a part of such a panel, which folds and stays folded; true while it is open.
bool foldable(const Ui& ui, const std::string& id, const PanelContext& panel);
/// Label on the left, number on the right; all its digits on hover. Its probe id is "fact.<number>".
void fact_row(const Ui& ui, const Fact& fact, int number);
/// Content that scrolls, over what is switched off and the prediction, which stay.
struct ScrollingContent {
    std::function<void()> draw;
    bool switches = false;    // a part of it switches something: nothing below moves then
    bool needs_room = false;  // as little as can be stays below
};
void above_prediction(const Frame& frame, const ScrollingContent& content);

/// Which token? The class token and the patches in sequence.
void token_strip(const Ui& ui, const Result& now, Selection& selection, const WhatIfs& what_ifs);

/// What can be done with what the right button was pressed on: the same menu for a patch or a head wherever it lies.
void context_menu(const Frame& frame);

/// What a what-if changes: "head 3 of block 5", "no ÷ √d".
std::string intervention_name(const Ui& ui, const Config& config, const Intervention& intervention);

/// The title and the sentence of a stage; the rectangle that is left below them. `beside`: kept free on the right.
Rect stage_heading(const Frame& frame, const std::string& title, const std::string& sentence, float beside = 0);
/// Where a stage tells what was done, in the line of its sentence, which waits; none where it is more than a line, or
/// in a lecture.
std::optional<Rect> notice_in_heading(const State& state, const Theme& theme, Rect stage);
/// What is being done and how far, over the old picture, which stays.
void draw_waiting(const Frame& frame);
/// What could not be done; stays until it is read. Over a dialog the dialog's own layer shows it.
void draw_error(const Frame& frame);
/// The same in the current window, wherever that lies.
void show_error(const Frame& frame);

/// Opens a dialog in the middle of the screen, over everything; the caller ends it with `end_dialog`.
struct DialogFrame {
    std::string id, title;
    float width = 0, height = 0;
};
void begin_dialog(const Ui& ui, const DialogFrame& frame, Commands& commands);
void end_dialog();
/// The window over all others in which a dialog lies: what is drawn in it again lies over the dialog.
void begin_dialog_layer();
void end_dialog_layer();

}  // namespace vitrine
