#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/dialogs/plain_dialogs.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/workspace.h"
#include "core/training/pictures/picture_set.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {

void drawing_choice(const Frame& frame) {
    const Ui& ui = frame.ui;
    DrawingChoice drawing = frame.state().drawing;
    const Text& text = ui.text;
    const std::vector<std::string> names = picture_classes(true, frame.workspace.pictures().scenes);
    ImGui::Dummy({1, ui.theme.px(2)});
    begin_child({"draw.class_box", ui.theme.px(230), ui.theme.px(56), false, false, ImGuiWindowFlags_NoScrollbar});
    float label = static_cast<float>(drawing.place_in(names));
    const auto words = [&](float l) { return text("class." + names[static_cast<std::size_t>(std::lround(l))]); };
    if (slider(ui, {"draw.class", text("draw.class"), text("draw.class_tip"), {}},
               {0, static_cast<float>(names.size() - 1), 1, words}, label))
        drawing.thing = names[static_cast<std::size_t>(std::lround(label))];
    ImGui::EndChild();
    ImGui::SameLine(0, ui.theme.px(16));
    std::vector<Control> difficulties;
    int difficulty = 0;
    for (const auto& [value, name] : difficulty_names) {
        if (value == drawing.difficulty) difficulty = static_cast<int>(difficulties.size());
        const std::string id = std::string("draw.") + name;
        difficulties.push_back({id, text(id), text("draw.difficulty_tip"), {}});
    }
    if (segmented(ui, difficulties, difficulty)) drawing.difficulty = difficulty_names[difficulty].value;
    ImGui::SameLine(0, ui.theme.px(16));
    constexpr std::array<int, 4> sizes = {64, 256, 512, 1024};
    std::vector<Control> controls;
    for (const int size : sizes)
        controls.push_back({"draw.size." + std::to_string(size), std::to_string(size), text("draw.size_tip"), {}});
    int chosen = static_cast<int>(std::find(sizes.begin(), sizes.end(), drawing.size) - sizes.begin());
    if (segmented(ui, controls, chosen)) drawing.size = sizes[static_cast<std::size_t>(chosen)];
    ImGui::SameLine(0, ui.theme.px(16));
    if (!(drawing == frame.state().drawing)) frame.commands().add(command::ChooseDrawing{drawing.word()});
    if (button(ui, {"draw.another", text("draw.another"), text("draw.another_tip"), frame.key_of("draw")},
               {Emphasis::primary, Icon::picture}))
        frame.commands().add("draw");
}

}  // namespace vitrine
