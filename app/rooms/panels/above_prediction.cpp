#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/scrolling_parts.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/library.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {

namespace {

/// Number of classes shown without changes; changes take the place of some.
constexpr int classes_shown = 6, classes_shown_low = 5, classes_shown_least = 3, classes_hidden = 3;

/// Heights at 1080p.
constexpr float title_height = 34, note_height = 60, spare = 10;

/// Height of the notices about the answer in the last frame; depends only on image and model.
float notices_height() { return ImGui::GetStateStorage()->GetFloat(ImGui::GetID("notices")); }
void keep_notices_height(float height) { ImGui::GetStateStorage()->SetFloat(ImGui::GetID("notices"), height); }

/// The shown chapter or instrument as a number.
int subject_of(const Focus& focus) { return focus.step + 1000 * place_of(focus.lab.instrument); }

/// True if the chapter about the prediction is shown.
bool shows_prediction(const Frame& frame) {
    const auto step = answers_of(frame.state().room).places.step;
    return step != nullptr && step(frame.selection.focus)->id == "prediction";
}

/// True for a bundled model, or one trained in this window on drawn pictures; not for a classifier of one's own.
bool knows_drawings_only(const Model& model) {
    const bool drawn = !model.provenance.scenes.empty() || set_with_classes(model.config.labels).has_value();
    return model.provenance.path.empty() && drawn;
}

/// A one-line note that the answer is meaningless. The reason and a remedy unfold: automatically the first time the
/// prediction is shown, later on request; the next chapter folds them again.
void foreign_note(const Frame& frame, int classes) {
    const Ui& ui = frame.ui;
    const Focus& focus = frame.selection.focus;
    const int here = subject_of(focus);
    int& unfolded_at = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("foreign"), -1);
    const bool at_prediction = shows_prediction(frame);
    if (at_prediction && frame.panel.settings.folded.insert("foreign").second) unfolded_at = here;
    if (unfolded_at != here) unfolded_at = -1;
    bool open = unfolded_at == here;
    const std::string title = ui.text("foreign.title");
    const bool learned = frame.workspace.experiment.model.learned != nullptr;
    const std::string words =
        ui.text(learned ? "foreign.words_learned" : "foreign.words", {{"count", std::to_string(classes)}});
    section(ui, {"foreign.fold", title, ui.text("foreign.fold_tip"), {}}, open);
    ui.probe.mark_item("foreign", open ? 1 : 0, title + " " + words);
    if (open != (unfolded_at == here)) unfolded_at = open ? here : -1;
    if (!open) return;
    paragraph(ui, words);
    if (button(ui, {"foreign.help", ui.text("foreign.action"), ui.text("foreign.tip"), {}},
               {Emphasis::primary, Icon::question, -1}))
        frame.commands().add(command::ShowDialog{"photographs"});
}

/// Layout of the fixed part below the scrolling content.
struct Foot {
    int classes = 1;    // number of classes shown
    bool title = true;  // show their title
    bool note = false;  // show a hint while nothing is changed
    float height = 0;   // px
};

/// True if the panel is high enough for all classes, and for their title beside the changes.
bool is_high(const Ui& ui, float available) { return available >= ui.theme.px(850); }

/// The layout for a number of what-ifs; the first class before and the first one after always fit.
Foot changed_foot(const Frame& frame, float available, std::size_t what_ifs) {
    const Ui& ui = frame.ui;
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float width = ImGui::GetContentRegionAvail().x;
    Foot foot;
    foot.title = is_high(ui, available);
    foot.classes = foot.title ? classes_shown - classes_hidden : 2;
    foot.height = changed_height(ui, what_ifs) + (foot.title ? ui.theme.px(title_height) : 0) +
                  bar_row_rect(ui, {}, 0).height() * static_cast<float>(foot.classes) +
                  change_height(canvas, ui, width, Told::beside_its_bar) + edge_offer_height(ui);
    return foot;
}

/// Inputs for the layout without what-ifs.
struct FootRoom {
    float available, notices;
    std::optional<float> same;  // height with a what-if, if the panel has a switch
    bool least;                 // the content needs all the space
};

/// The layout without what-ifs.
Foot plain_foot(const Frame& frame, const FootRoom& room) {
    const Theme& theme = frame.ui.theme;
    // An unfolded note takes the place of classes, so that the clicked line does not move.
    const float folded = std::min(room.notices, theme.px(39)), bar = bar_row_rect(frame.ui, {}, 0).height();
    const bool low = room.available < theme.px(620) + 1.5F * folded;
    Foot foot;
    foot.note = !room.least && !low;
    const float around = theme.px(title_height + (foot.note ? note_height : spare)) + folded;
    const int fitting = room.same ? static_cast<int>((*room.same - around) / bar) : 0;
    const int whole = room.least || low                   ? classes_shown_least
                      : is_high(frame.ui, room.available) ? classes_shown
                                                          : std::clamp(fitting, classes_shown_least, classes_shown_low);
    foot.height = around + bar * static_cast<float>(whole);
    foot.classes = std::max(whole - static_cast<int>(std::ceil((room.notices - folded) / bar)), 1);
    return foot;
}

/// The current layout: if there are switches, its height does not change with the first what-if, so that nothing moves
/// under the pointer.
Foot foot_of(const Frame& frame, const ScrollingContent& content, float available, float notices) {
    const bool any = !frame.what_ifs.empty();
    Foot changed = changed_foot(frame, available, std::max<std::size_t>(frame.what_ifs.size(), 1));
    changed.height += notices;
    const std::optional<float> same = content.switches ? std::optional(changed.height) : std::nullopt;
    const Foot plain = plain_foot(frame, {available, notices, same, content.needs_room});
    Foot foot = any ? changed : plain;
    if (content.switches) foot.height = std::max(plain.height, changed.height);
    foot.height = std::min(foot.height, available * 0.7F);
    return foot;
}

/// The model's answer and notices about it, always visible, with the change by the what-ifs and a link to a picture
/// where it is larger. Returns the height of the notices, px.
float prediction_card(const Frame& frame, const Foot& foot) {
    const Ui& ui = frame.ui;
    const PanelContext& panel = frame.panel;
    const Theme& theme = ui.theme;
    const Result& now = *frame.shown().result;
    if (foot.title) heading(ui, ui.text("prediction.title"));
    const float top = ImGui::GetCursorPosY();
    const bool foreign = knows_drawings_only(*now.model) && !now.image->bundled;
    if (foreign) foreign_note(frame, now.model->config.classes);
    if (panel.state.model_changed) {
        paragraph(ui, ui.text("model.changed"));
        ui.probe.mark_item("model.changed", 0, ui.text("model.changed"));
        if (button(ui, {"model.reload", ui.text("model.reload"), ui.text("model.reload_tip"), {}},
                   {Emphasis::primary, Icon::undo, -1}))
            panel.commands.add("reload_model");
    }
    const float notices = ImGui::GetCursorPosY() - top;
    if (now.model->config.classes == 0) {
        paragraph(ui, ui.text(key_for(ui.text, "prediction.none", now.model->config)));
        return notices;
    }
    const std::vector<BarRow> rows = class_rows(ui, now, foot.classes);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect rect{at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + 1000};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float height = bar_list(canvas, ui, rect, {rows, 1.0, BarUnit::fraction, theme.palette.accent});
    for (std::size_t i = 0; i < rows.size(); ++i)
        ui.probe.mark("top." + std::to_string(i), bar_row_rect(ui, rect, static_cast<int>(i)), rows[i].value,
                      rows[i].label);
    const Rect below{rect.x0, rect.y0 + height + theme.px(2), rect.x1, rect.y1};
    const ChangeFigure change{"change", now, Told::beside_its_bar};
    ImGui::Dummy({1, height + (change_of(now) ? theme.px(2) + change_figure(canvas, ui, below, change) : 0)});
    offer_edge(frame);
    return notices;
}

}  // namespace

void above_prediction(const Frame& frame, const ScrollingContent& content) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const float available = ImGui::GetContentRegionAvail().y;
    const Foot foot = foot_of(frame, content, available, notices_height());
    const int subject = subject_of(frame.selection.focus);
    scrolling_parts(ui,
                    {"explanation.scroll", available - foot.height - theme.px(10), subject, !frame.state().transparent},
                    content.draw);
    ImGui::Separator();
    begin_child({"explanation.bottom", 0, 0, false, false, 0});
    const bool any = !frame.what_ifs.empty();
    if (any) changed_part(frame);
    const float notices = prediction_card(frame, foot);
    if (!any && foot.note) paragraph(ui, {ui.text("removals.none"), Font::caption, theme.palette.muted, Align::left});
    ImGui::EndChild();
    keep_notices_height(notices);
}

}  // namespace vitrine
