#pragma once

#include "app/rooms/laboratory/laboratory.h"
#include "app/workspace/laboratory_state.h"

// The figures of the instrument about causes, one row each.

namespace vitrine {

struct Comparison;
struct LabControls;
struct LabPair;

/// A figure of causes. Its words are "lab.causes.<name>. …".
struct CauseRow {
    CauseFigure figure;
    void (*draw)(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
    void (*controls)(const LabControls& controls);  // choices of its own
    Comparison (*compared)(const LabPair& pair);    // what it compares of two runs side by side
    bool (*grows)(const Laboratory& lab);           // its picture is updated while it is measured
    bool patches = false;                           // it takes numbers from the run beside this one
};
const CauseRow& row_of(CauseFigure figure);

void importance_controls(const LabControls& controls);
void pruning_controls(const LabControls& controls);
void patching_controls(const LabControls& controls);
void perturbation_controls(const LabControls& controls);

/// The importance of every part.
Comparison compare_importance(const LabPair& pair);
/// The share of correct answers by the number of heads removed.
Comparison compare_pruning(const LabPair& pair);
/// Nothing: patching itself compares both runs.
Comparison compare_patching(const LabPair& pair);
/// The areas under the curves.
Comparison compare_perturbation(const LabPair& pair);

}  // namespace vitrine
