#include <imgui.h>

#include "app/chapters/step.h"
#include "app/rooms/explore/panels/button_row.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/words_beside.h"

namespace vitrine {

bool lacks_text_tower(const Frame& frame) {
    const Result* const now = frame.shown().result.get();
    return step_at(frame.selection.focus).own.beside.words && now != nullptr && now->words && !now->words->tower;
}

void get_model_row(const Frame& frame, Rect area) {
    const Ui& ui = frame.ui;
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const RichText none{ui.text("two_towers.none"), Font::heading};
    area.y0 += measure_rich(canvas, none, area.width()).y + ui.theme.px(14);
    ButtonRow row(ui, area);
    const Control control{"two_towers.get_model", ui.text("browser.get_model"), ui.text("browser.get_model_tip"),
                          frame.key_of("get_model")};
    if (row.press(control, {Emphasis::primary})) frame.commands().add("get_model");
}

}  // namespace vitrine
