#include "app/rooms/figures/painting.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>

#include "app/rooms/figures/brush.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/patch_grid.h"
#include "app/workspace/selection.h"
#include "core/vit/model.h"

namespace vitrine {

bool paint_patches(Canvas& canvas, const Ui& ui, Rect rect, const Config& config, const PatchGrid& grid,
                   const GridHit& hit, Selection& selection, std::vector<Intervention>& what_ifs) {
    Brush& brush = selection.brush;
    if (!brush.in_hand) return false;
    const auto draw = [&](const std::vector<int>& patches, float alpha) {
        for (const int patch : patches)
            canvas.fill(cell_rect(rect, grid.size, {patch / config.grid_width(), patch % config.grid_width()}),
                        ui.theme.palette.accent.with_alpha(alpha));
    };
    if (hit.hovered) {
        const int at = config.patch_of(*hit.hovered);
        if (hit.clicked) {
            brush.figure = grid.id;
            brush.from = at;
            brush.touched.clear();
        }
        const bool stroking = brush.figure == grid.id;
        const std::vector<int> under = patches_under(brush, config, stroking ? brush.from : at, at);
        if (stroking && brush.rectangle)
            brush.touched = under;
        else if (stroking) {
            std::vector<int> all;
            std::ranges::set_union(brush.touched, under, std::back_inserter(all));
            brush.touched = std::move(all);
        }
        draw(under, 0.35F);
    }
    if (brush.figure != grid.id) return true;
    draw(brush.touched, 0.35F);
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return true;
    paint(what_ifs, config, paint_of(selection), brush.touched);
    brush.figure.clear();
    brush.touched.clear();
    return true;
}

}  // namespace vitrine
