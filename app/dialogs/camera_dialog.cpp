#include "app/dialogs/camera_dialog.h"

#include <imgui.h>

#include <string>

#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/ui/glyphs.h"
#include "app/ui/text.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

void CameraDialog::draw(const Frame& frame) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.camera", ui.text("camera.title"), 620, 420}, frame.commands());
    if (ImGui::IsWindowAppearing()) rows_ = cameras();
    paragraph(ui, ui.text("camera.words"));
    if (rows_.empty()) empty_card(ui, {"camera.none", ui.text("camera.none"), ui.text("camera.none_words"), {}, {}});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const CameraRow& row = rows_[i];
        if (ui.glyphs != nullptr) ui.glyphs->see(row.name);
        const ButtonLook look{Emphasis::plain, Icon::play, -1, true, row.device.string()};
        if (button(ui, {"camera.row." + std::to_string(i), row.name, ui.text("camera.play_tip"), {}}, look))
            frame.commands().add(command::PlayStream{row.device});
    }
    end_dialog();
}

}  // namespace vitrine
