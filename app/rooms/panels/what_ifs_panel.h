#pragma once

#include "app/rooms/panels/panels.h"

// What-ifs in a panel: those on offer and those in effect.

namespace vitrine {

struct Frame;
struct Model;

/// Whether the chapter's picture can be painted over here.
bool offers_brush(const Frame& frame);
/// The switches of a step, each with a link to its picture near the edge (app/library/edges), if there is one.
void switches_part(const Explanation& explanation, const Frame& frame);

/// The current changes, each with its name, which leads to its part, and a symbol that takes it back: whole rows,
/// scrolling. True while the place of one that was taken back is kept empty: nothing may move then.
bool changed_part(const Frame& frame);
/// The button that undoes all of them. It has a row of its own, so that it keeps its place whatever is changed.
void restore_row(const Frame& frame);

/// Whether the box of the changes and their effect is open, in a panel with a room of that height: as the user chose;
/// else where the panel is high, and beside the prediction.
bool changes_are_open(const Frame& frame, float height, bool at_prediction);

/// Two rows of constant height, in which no switch ever is. Without what-ifs they are a hint; else the second one opens
/// the box above and closes it, and has the way back. The first one, with the box drawn: a button that shows a picture
/// on which the newest what-if matters, unless it does on this one, or a note that such a picture is shown; it is in
/// the accent colour if the model stays as sure as before. Without the box: the effect on the answer.
enum class ChangesBox { closed, drawn, held };  // held: open, but the panel keeps still and has no room for it yet
void changes_foot(const Frame& frame, ChangesBox box);

/// The half that panels and keys act on, as it ends a title: " · A"; "" without two halves.
std::string half_in_title(const Frame& frame);

/// The newest what-if with a bundled picture near the edge, and that picture's word.
struct EdgeOffer {
    Intervention what_if;
    std::string picture;
};
std::optional<EdgeOffer> edge_offer(const Model& model, const WhatIfs& what_ifs);

}  // namespace vitrine
