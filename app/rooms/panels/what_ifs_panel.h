#pragma once

#include "app/rooms/panels/panels.h"

// What-ifs in a panel: those on offer and those in effect.

namespace vitrine {

struct Frame;
struct Model;

/// True if the brush is offered: in chapters whose picture can be painted over, but not in lectures.
bool offers_brush(const Frame& frame);
/// The sliders and switches of a chapter, each switch with a button that opens its picture near the edge
/// (app/library/edges), if there is one.
void switches_part(const Explanation& explanation, const Frame& frame);

/// A scrolling list of the current changes, each with its name, which leads to the changed part, and a symbol that
/// undoes it. Returns true while an undone change leaves an empty row: the panel must then keep its height.
bool changed_part(const Frame& frame);
/// The button that undoes all changes, in a row of its own, so that it does not move when changes are added.
void restore_row(const Frame& frame);

/// True if the box with the changes and their effect is open: as the user chose; by default in panels with much height
/// (`height`, px) and in the chapter about the prediction.
bool changes_are_open(const Frame& frame, float height, bool at_prediction);

/// Two rows of constant height below the box of changes. Without what-ifs they show a hint. Otherwise the second row
/// opens and closes the box and has the button that undoes all changes. The first row shows the effect on the answer
/// or, with the box drawn, a button that opens a picture on which the newest what-if matters (in the accent colour if
/// the model is still as sure of its answer), or a note if the answer changes here or such a picture is shown.
enum class ChangesBox { closed, drawn, held };  // held: open, but the foot's height does not have room for it yet
void changes_foot(const Frame& frame, ChangesBox box);

/// The end of a title that names the half that panels and keys act on: " · A" or " · B"; "" without two halves.
std::string half_in_title(const Frame& frame);

/// The newest what-if with a bundled picture near the edge, and that picture's word.
struct EdgeOffer {
    Intervention what_if;
    std::string picture;
};
std::optional<EdgeOffer> edge_offer(const Model& model, const WhatIfs& what_ifs);

}  // namespace vitrine
