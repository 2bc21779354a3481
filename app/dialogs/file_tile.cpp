#include "app/dialogs/file_tile.h"

#include <imgui.h>

#include "app/rooms/figures/scene.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/picture.h"

namespace vitrine {

bool file_tile(const Ui& ui, const FileTile& tile, Rect rect) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Hit hit = hot_area(ui, tile.id, rect, tile.name);
    tooltip(ui, tile.name);
    canvas.fill(rect, theme.palette.raised, theme.px(8));
    if (hit.at) canvas.stroke(rect, theme.palette.accent, theme.px(2), theme.px(8));
    const float line = theme.px(28);
    const Rect inside{rect.x0 + theme.px(6), rect.y0 + theme.px(6), rect.x1 - theme.px(6), rect.y1 - line};
    if (tile.picture)
        canvas.picture(fit(inside, static_cast<float>(tile.picture->width) / static_cast<float>(tile.picture->height)),
                       {tile.picture, {}, false, 1, 1});
    else
        draw_icon(canvas, tile.icon, inside.centre(), theme.px(36), theme.palette.muted);
    canvas.text({rect.centre().x, rect.y1 - line + theme.px(4)},
                fitted(canvas, tile.name, Font::caption, rect.width() - theme.px(12)),
                {Font::caption, theme.palette.text, Align::centre});
    return hit.clicked;
}

}  // namespace vitrine
