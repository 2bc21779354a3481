#pragma once

#include <span>
#include <string>

#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/widgets/heatmap.h"
#include "app/workspace/laboratory_state.h"
#include "core/tensor/tensor.h"

// The figures of the causes instrument, each with a file and a table row of its own.

namespace vitrine {

struct Comparison;
struct LabControls;
struct LabPair;

/// A figure of the causes instrument. The keys of its texts begin with "lab.causes.<name>.".
struct CauseRow {
    CauseFigure figure;
    void (*draw)(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
    void (*controls)(const LabControls& controls);  // choices of its own
    Comparison (*compared)(const LabPair& pair);    // the differences of two runs side by side
    bool (*grows)(const Laboratory& lab);           // its picture is updated while it is measured
    bool patches = false;                           // it patches in numbers from the run beside this one
};
const CauseRow& row_of(CauseFigure figure);

extern const CauseRow importance_row;
extern const CauseRow pruning_row;
extern const CauseRow patching_row;
extern const CauseRow perturbation_row;

// Helpers shared by the figures.

/// The height of a colour bar with its caption, its numbers and a gap above.
float height_of_bar(const LabScene& lab);

/// Cells of a map whose rows are blocks. `grid_of_blocks` also numbers both axes; `parts` is the word for the columns.
struct CauseGrid {
    Rect cells;
    GridSize size;

    Rect cell(int row, int column) const { return cell_rect(cells, size, {row, column}); }
};
CauseGrid grid_of_blocks(const Scene& scene, Rect rect, GridSize size, const std::string& parts);
void draw_heat(const LabScene& lab, const CauseGrid& grid, const Tensor2& values, const ColourScale& scale);

/// The largest magnitude; 0 without values.
float largest_size(std::span<const float> values);
/// The name of a class of the run's model.
std::string class_of(const LabScene& lab, int index);

/// The choice of the images to measure: drawn pictures, or the images in a folder.
void images_controls(const LabControls& controls);

}  // namespace vitrine
