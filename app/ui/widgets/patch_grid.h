#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"

namespace vitrine {

/// The patches of a picture as an interactive grid. Tokens count from `first_token` (1 after a class token), row by row
/// from the top.
struct PatchGrid {
    std::string id;
    GridSize size;
    int first_token = 1;
    std::optional<int> query = {};    // outlined in the query's blue
    std::optional<int> hovered = {};  // outlined; may come from another view
    std::span<const int> off = {};    // hatched
    bool lines = true;                // between the patches, if they are large enough
};

/// Actions on the grid in this frame, as token indices.
struct GridHit {
    std::optional<int> hovered, clicked, double_clicked;
    std::optional<int> menu;      // right button: opens the patch's menu
    std::optional<int> switched;  // X at the keyboard's cursor: toggles the patch
};

/// Draws grid and outlines over the existing content and handles the mouse. Marks `<id>` and `<id>.cell.<token>`.
GridHit patch_grid(Canvas& canvas, const Ui& ui, Rect rect, const PatchGrid& grid);

}  // namespace vitrine
