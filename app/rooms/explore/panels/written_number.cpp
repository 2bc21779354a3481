#include <imgui.h>

#include "app/chapters/step.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

/// Draws a chip with the name of the pinned number; a click unpins it.
void draw_pinned_number(const Explanation& e) {
    const Ui& ui = e.ui;
    const std::string name = cell_name(ui, e.now, *e.selection.focus.cell);
    if (chip(ui, {"cell.kept", ui.text("cell.kept", {{"cell", name}}), ui.text("cell.kept_tip"), "Esc"},
             {ui.theme.palette.accent, true, false, true, -1}) == ChipClick::switched)
        e.selection.focus.cell.reset();
}

}  // namespace

void number_written_out(const Frame& frame) {
    const Explanation e = explanation_of(frame);
    const Step& step = step_at(e.selection.focus);
    std::optional<Cell> cell = e.selection.cell_in_view();
    if (!cell && step.own.cell) cell = step.own.cell(e.now, e.selection);
    std::string all;
    if (cell)
        for (const std::string& line : computation(e.ui, e.now, *cell)) {
            paragraph(e.ui, RichText{line, Font::body, e.ui.theme.palette.text});
            all += (all.empty() ? "" : "\n") + without_markup(line);
        }
    if (e.selection.focus.cell) draw_pinned_number(e);
    if (all.empty()) return;
    e.ui.probe.mark_item("computation", static_cast<double>(value_of(record_of(e.now), *cell)), all);
    ImGui::Dummy({1, e.ui.theme.px(4)});
}

}  // namespace vitrine
