#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "core/transformer/intervention.h"

namespace vitrine {

class Commands;
struct Config;
struct PanelContext;
struct Formula;
struct Frame;
struct InView;
struct Predicted;
struct Result;
class Selection;
struct Waiting;
struct Theme;
struct Ui;

using WhatIfs = std::vector<Intervention>;

// Panels used by several rooms. Each fills the current child window.

/// Inputs of a panel about a run.
struct Explanation {
    const Ui& ui;
    const Result& now;
    Selection& selection;  // receives the hovered symbol
};
Explanation explanation_of(const Frame& frame);

/// The map: the encoder with clickable parts. Returns true if a chapter was clicked, even the highlighted one.
bool map_panel(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs);

/// A typeset equation as the next ImGui item, shrunk to the available width and a usual height; hovering highlights a
/// symbol everywhere.
void equation_item(const Ui& ui, Selection& selection, const Formula& formula);
/// In a lecture: draws the equation beside a stage's title, smaller if it is high. If it does not fit, returns it in
/// words instead. `share` is the equation's share of the stage's width.
struct EquationBeside {
    float width = 0, height = 0;  // of the drawn equation, px; 0 if it is not drawn
    std::string words = {};       // to append to the stage's sentence; empty if the equation is drawn
};
EquationBeside equation_beside_title(const Ui& ui, Selection& selection, const Formula& formula, Rect stage,
                                     float share);

/// The explanation: words, switches, equation, numbers and question; below them the changes and the prediction.
void explanation_panel(const Frame& frame);
/// The heading of a foldable part of a panel; the settings store whether it is open. Returns true if it is open.
bool foldable(const Ui& ui, const std::string& id, const PanelContext& panel);
/// `above_prediction` draws scrolling content, pinned content below it, and at the panel's lower edge the prediction: a
/// line that opens upwards. If there are changes, they and their effect are above that line.
struct ScrollingContent {
    std::function<void()> draw;
    std::function<void()> pinned = {};
};
void above_prediction(const Frame& frame, const ScrollingContent& content);

/// The answer of the image's run in words; none before there is a run, or if the model has no classes.
std::optional<Predicted> predicted_by_run(const InView& shown);
/// Draws that run's changes with a button to undo them, its most probable classes, and the effect of the changes.
void draw_predicted_run(const Frame& frame);

/// The class token and the patches in sequence, to choose a token.
void token_strip(const Ui& ui, const Result& now, Selection& selection, const WhatIfs& what_ifs);

/// Context menu of a patch or a head, the same in all figures.
void context_menu(const Frame& frame);

/// Description of a what-if: "head 3 of block 5", "no ÷ √d".
std::string intervention_name(const Ui& ui, const Config& config, const Intervention& intervention);
/// Name of a what-if as a switch and among the changes of a run: "without positions", "no ÷ √d".
std::string change_name(const Ui& ui, const Config& config, const Intervention& intervention);

/// Draws title and sentence of a stage; returns the rectangle below them. `beside`: width kept free on the right, px.
Rect stage_heading(const Frame& frame, const std::string& title, const std::string& sentence, float beside = 0);
/// Seconds before the progress of work is drawn: less is not worth a look.
inline constexpr double wait_before_progress = 0.3;
/// Draws progress with a button that cancels beside the stage's title, or at the stage's lower edge if the title leaves
/// no room; what it takes of the title's line is then taken for notices. Returns true if cancelled.
bool progress_beside_title(const Frame& frame, const Waiting& waiting);
/// Draws the current activity and its progress: over the old picture, or beside the title if the picture stays valid.
void draw_waiting(const Frame& frame);
/// Writes "in progress" in a zone while a job still computes the zone's blocks.
void draw_waiting_zone(const Frame& frame, const std::string& id);
/// Draws an error message, which stays until dismissed; not while a dialog is open, whose layer draws it.
void draw_error(const Frame& frame);
/// Draws the error message in the current window.
void show_error(const Frame& frame);

/// Opens a dialog in the middle of the screen, over everything; the caller ends it with `end_dialog`.
struct DialogFrame {
    std::string id, title;
    float width = 0, height = 0;
    bool stays = false;  // a click beside it does not close it, since input would be lost
};
void begin_dialog(const Ui& ui, const DialogFrame& frame, Commands& commands);
void end_dialog();
/// The free part of the open dialog's title line; to be called within the dialog.
Rect free_in_title(const Theme& theme);
/// Begin and end the top-level window that contains a dialog. Beginning it again draws over the dialog.
void begin_dialog_layer();
void end_dialog_layer();

}  // namespace vitrine
