#include <imgui.h>

#include <algorithm>

#include "app/chapters/chapter.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/scrolling_parts.h"
#include "app/rooms/panels/stop_controls.h"
#include "app/rooms/room.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

/// Draws an equation in a rectangle, shrunk to fit; hovering a symbol highlights it everywhere. Returns the height.
float shrunk_equation(const Ui& ui, Selection& selection, const Formula& formula, Rect rect) {
    const EquationFigure figure = {formula.id, {selection.hovered_symbol()}, without_markup(formula.words)};
    const Point size = equation_size(ui, figure, rect.width());
    const float shrunk = std::min(1.0F, rect.height() / std::max(1.0F, size.y));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Rect place{rect.x0, rect.y0, rect.x0 + std::min(rect.width(), size.x * shrunk + 1), rect.y1};
    const EquationHit hit = equation_figure(canvas, ui, place, figure);
    if (!hit.symbol.empty()) selection.hover_symbol(hit.symbol);
    return size.y * shrunk;
}

}  // namespace

Explanation explanation_of(const Frame& frame) { return {frame.ui, *frame.shown().result, frame.selection}; }

bool foldable(const Ui& ui, const std::string& id, const PanelContext& panel) {
    bool open = !panel.settings.folded.contains(id);
    begin_part(id);
    const bool shown = section(ui, {"section." + id, ui.text("section." + id), ui.text("section.tip"), {}}, open);
    if (open)
        panel.settings.folded.erase(id);
    else
        panel.settings.folded.insert(id);
    return shown;
}

void equation_item(const Ui& ui, Selection& selection, const Formula& formula) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, margin = ui.theme.px(4), most = ui.theme.px(300);
    float height = shrunk_equation(ui, selection, formula, {at.x, at.y + margin, at.x + width, at.y + most});
    for (const std::string& id : formula.others)
        height = std::max(height, std::min(most, equation_size(ui, {id, {}, {}}, width).y));
    ImGui::Dummy({width, height + 3 * margin});
}

EquationBeside equation_beside_title(const Ui& ui, Selection& selection, const Formula& formula, Rect stage,
                                     float share) {
    constexpr float wanted = 0.75F, least = 0.6F;  // of its usual size; `least` is a caption's size
    const Point whole = equation_size(ui, {formula.id, {}, {}}, 1e6F);
    const float width = stage.width() * share, room = width - ui.theme.px(20);
    const float usual = ui.theme.px(80), most = ui.theme.px(136);
    for (const float size : {wanted, least}) {
        const float height = std::max(usual, std::ceil(whole.y * size) + 1);
        if (height > most || whole.x * size > room) continue;
        shrunk_equation(ui, selection, formula, {stage.x1 - room, stage.y0, stage.x1, stage.y0 + height});
        return {width, height};
    }
    return {0, 0, "\n" + formula.words};
}

void explanation_panel(const Frame& frame) {
    ScrollingContent content{.draw = [&] { chapter_parts(frame); }};
    if (points_at_number(frame)) content.pinned = [&] { pointed_number(frame); };
    above_prediction(frame, content);
}

}  // namespace vitrine
