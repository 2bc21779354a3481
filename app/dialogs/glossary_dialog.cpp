#include <imgui.h>

#include <algorithm>

#include "app/dialogs/plain_dialogs.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/ui/glossary.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

void glossary_dialog(const Frame& frame, const AppContext&) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.glossary", ui.text("glossary.title"), 860, 640}, frame.commands());
    auto& typed = frame.panel.drafts.find_text;
    if (!ImGui::IsAnyItemActive()) focus_text_field("##glossary");
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##glossary", ui.text("glossary.hint").c_str(), typed.data(), typed.size());
    ui.probe.mark_item("glossary.input", 0, typed.data());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "glossary.input");
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    begin_child({"glossary.list", 0, 0, false, false, 0});
    std::vector<GlossaryTerm> terms = glossary(ui.text);
    std::erase_if(terms, [&](const GlossaryTerm& t) { return !matches(t.term + " " + t.words, typed.data()); });
    const GlossaryTerm* const found = term_of(terms, typed.data());
    const std::string looked_up = found == nullptr ? "" : found->id;
    std::ranges::stable_partition(terms, [&](const GlossaryTerm& t) { return t.id == looked_up; });
    for (const GlossaryTerm& term : terms) {
        const bool here = term.id == looked_up;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (here) ImGui::Indent(ui.theme.px(14));
        paragraph(ui, "{strong|" + term.term + "}\n" + term.words);
        ui.probe.mark_item("glossary.row." + term.id, here ? 1 : 0, term.term);
        if (here) {
            ImGui::Unindent(ui.theme.px(14));
            WindowCanvas list(ImGui::GetWindowDrawList(), ui);
            list.fill({at.x, at.y, at.x + ui.theme.px(4), ImGui::GetItemRectMax().y}, ui.theme.palette.accent,
                      ui.theme.px(2));
        }
        ImGui::Dummy({1, ui.theme.px(here ? 16 : 6)});
    }
    if (terms.empty())
        empty_card(ui, {"glossary.none", ui.text("glossary.none"), ui.text("glossary.none_words"), {}, {}});
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
