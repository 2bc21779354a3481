#include <imgui.h>

#include "app/dialogs/plain_dialogs.h"
#include "app/library/references.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/reference_rows.h"
#include "app/rooms/state.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

void references_dialog(const Frame& frame, const AppContext&) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.references", ui.text("references.title"), 1000, 760}, frame.commands());
    auto& typed = frame.panel.drafts.find_text;
    if (!ImGui::IsAnyItemActive()) focus_text_field("##references");
    const float bibtex = ui.theme.px(260);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - bibtex);
    ImGui::InputTextWithHint("##references", ui.text("references.hint").c_str(), typed.data(), typed.size());
    ui.probe.mark_item("references.input", 0, typed.data());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "references.input");
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    ImGui::SameLine();
    if (button(ui, {"references.bibtex", ui.text("references.bibtex"), ui.text("references.bibtex_tip"), {}},
               {Emphasis::plain, Icon::save, -1}))
        frame.commands().add("bibtex");
    begin_child({"references.list", 0, 0, false, false, 0});
    bool any = false;
    for (const Reference& row : references()) {
        if (!matches(citation_of(row) + " " + full_words(row), typed.data())) continue;
        any = true;
        reference_row(ui, "references.row." + row.id, row, frame.commands());
    }
    if (!any) empty_card(ui, {"references.none", ui.text("references.none"), ui.text("references.none_words"), {}, {}});
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
