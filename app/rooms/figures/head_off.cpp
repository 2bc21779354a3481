#include "app/rooms/figures/head_off.h"

#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/result.h"
#include "core/vit/experiment.h"

namespace vitrine {

bool head_is_off(const Scene& scene, int block, int head) {
    return contains(scene.now.experiment.what_ifs, remove_head(block, head));
}

std::string words_of_off_head(const Ui& ui, int head) { return ui.text("attention.off", {{"head", ui.ordinal(head)}}); }

void draw_off_map(const Scene& scene, Rect rect, float brightness) {
    scene.canvas.fill(rect, {8, 10, 14, 255});
    scene.canvas.picture(rect, picture_below(scene, brightness / 2));
    hatch(scene.canvas, rect, scene.ui.theme.palette.muted, scene.ui.theme.px(10));
}

}  // namespace vitrine
