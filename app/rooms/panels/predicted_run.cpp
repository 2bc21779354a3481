#include <imgui.h>

#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/foreign.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"

// The answer of the image's run, for lectures.

namespace vitrine {

namespace {

constexpr int classes_told = 3;

std::string first_class(const Ui& ui, const Model& model, const Prediction& first) {
    return class_name(ui, model, first.index) + " " + probability_text(static_cast<double>(first.probability));
}

}  // namespace

std::optional<Predicted> predicted_by_run(const InView& shown) {
    const Result* const now = shown.workspace.shown.result.get();
    if (now == nullptr || now->model->config.classes == 0) return std::nullopt;
    const Prediction first = top_predictions(*now->trace.head, 1).front(),
                     before = top_predictions(*now->baseline.head, 1).front();
    return Predicted{first_class(shown.ui, *now->model, before), first_class(shown.ui, *now->model, first),
                     !now->experiment.what_ifs.empty(), static_cast<double>(first.probability)};
}

void draw_predicted_run(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    if (!frame.what_ifs.empty()) {
        const std::string title = ui.text("removals.title") + half_in_title(frame);
        heading(ui, title);
        ui.probe.mark_item("removals.title", 0, title);
        changed_part(frame);
        restore_row(frame);
    }
    heading(ui, ui.text("prediction.title"));
    if (answer_means_nothing(now)) {
        const RichText warning{ui.text("foreign.title"), Font::strong, ui.theme.palette.danger, Align::left};
        paragraph(ui, warning);
        ui.probe.mark_item("told.foreign", 0, ui.text("foreign.title"));
    }
    const std::vector<BarRow> rows = class_rows(ui, now, classes_told);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect rect{at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + 1000};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float gap = ui.theme.px(2),
                height =
                    bar_list(canvas, ui, rect, {rows, 1.0, BarUnit::fraction, answer_color(ui.theme.palette, now)});
    ui.probe.mark("told.classes", {rect.x0, rect.y0, rect.x1, rect.y0 + height}, rows.front().value,
                  rows.front().label);
    const Rect below{rect.x0, rect.y0 + height + gap, rect.x1, rect.y1};
    ImGui::Dummy({1, height + (change_of(now) ? gap + change_figure(canvas, ui, below, {"told.change", now}) : 0)});
}

}  // namespace vitrine
