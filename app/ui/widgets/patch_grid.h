#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"

namespace vitrine {

/// The patches of a picture as something to point at. Tokens count from `first_token` (1 behind a class token), row by
/// row from the top.
struct PatchGrid {
    std::string id;
    GridSize size;
    int first_token = 1;
    std::optional<int> query = {};    // outlined in the query's blue
    std::optional<int> hovered = {};  // outlined; may come from another view
    std::span<const int> off = {};    // hatched
    bool lines = true;                // between the patches, where they are large enough to be told apart
};

/// What the mouse did to the grid in this frame, as token indices.
struct GridHit {
    std::optional<int> hovered, clicked, double_clicked;
    std::optional<int> menu;      // right button: what can be done with the patch
    std::optional<int> switched;  // X at the keyboard's cursor: off or on
};

/// Draws grid and outlines over what is already there and reads the mouse. Marks `<id>` and `<id>.cell.<token>`.
GridHit patch_grid(Canvas& canvas, const Ui& ui, Rect rect, const PatchGrid& grid);

}  // namespace vitrine
