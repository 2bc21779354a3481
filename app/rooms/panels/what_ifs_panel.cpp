#include "app/rooms/panels/what_ifs_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/library/edges.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/what_if_slider.h"
#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

constexpr std::size_t most_changes_shown = 8;
constexpr std::size_t most_rows_seen = 2;  // number of changes visible without scrolling

/// True if a what-if is a design other than the trained one.
bool is_design(const Intervention& i) { return i.site == Site::norm || i.site == Site::skip; }

/// True if a what-if that could apply to one block applies to all.
bool acts_in_every_block(const Intervention& i) {
    const std::optional<KnownWhatIf> known = known_what_if(i);
    return known && known->row->any_block && !i.where.block;
}

bool shows(const Frame& frame, const std::string& picture) {
    const ImageSource& shown = frame.workspace.experiment.image;
    return shown.path.empty() && shown.sample == picture;
}

float first_probability(const Result& now) {
    return now.model->config.classes == 0 ? 0 : top_predictions(*now.baseline.head, 1).front().probability;
}

/// True if the answer of this run is visibly another one, so that no other picture is needed to see the change.
bool moves_answer(const AnswerChange& change) {
    constexpr double visible = 0.1;
    return change.other_choice() || std::abs(change.probability()) >= visible;
}

/// The note on the picture near the edge; another one where the model is sure of its answer.
const char* edge_words(const Result& now) {
    constexpr float in_doubt = 0.8F;
    return first_probability(now) < in_doubt ? "edge.here" : "edge.here_sure";
}

float edge_button_width(const Ui& ui) {
    return std::ceil(measure_text(ui.theme, ui.text("edge.short"), Font::body).x) + ui.theme.px(2 * 14);
}

/// The button beside a switch: opens the picture near the edge, with the what-if on.
void edge_button_beside(const Frame& frame, const Intervention& what_if, const std::string& picture) {
    const Ui& ui = frame.ui;
    const bool here = shows(frame, picture);
    const char* const tip = here ? edge_words(*frame.shown().result) : "edge.try";
    const std::string id = "edge." + to_word(what_if, frame.shown().result->model->config);
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - edge_button_width(ui));
    if (!button(ui, {id, ui.text("edge.short"), ui.text(tip), {}, !here})) return;
    put(frame.what_ifs, what_if);
    frame.commands().add(command::OpenImage{{picture, {}}});
}

void draw_switch(const Explanation& e, const Frame& frame, const Intervention& i) {
    bool on = contains(frame.what_ifs, i);
    const std::string id = to_word(i, frame.shown().result->model->config);
    std::string name = intervention_name(e.ui, e.now.model->config, i);
    const bool says_so = i.site == Site::skip;  // "no skip connections"
    if (is_removal(i) && !says_so) name = e.ui.text("switches.without", {{"part", name}});
    const std::optional<std::string> picture = edge_picture(*frame.shown().result->model, i);
    const float room =
        ImGui::GetContentRegionAvail().x - (picture ? edge_button_width(e.ui) + e.ui.theme.px(8) : e.ui.theme.px(40));
    const float top = ImGui::GetCursorPosY();
    const std::string tip = acts_in_every_block(i) ? e.ui.text("switches.everywhere_tip") : std::string();
    if (vitrine::toggle(e.ui, {"switch." + id, name, tip, {}}, on, room)) {
        if (on)
            put(frame.what_ifs, i);
        else
            toggle(frame.what_ifs, i);
    }
    const float below = ImGui::GetCursorPosY();
    if (picture) edge_button_beside(frame, i, *picture);
    ImGui::SetCursorPosY(std::max(below, top + e.ui.theme.px(38)));
}

/// A chip for every change; × undoes it.
void change_chips(const Frame& frame) {
    const Ui& ui = frame.ui;
    WhatIfs& what_ifs = frame.what_ifs;
    std::optional<Intervention> back;
    const std::size_t shown = std::min(what_ifs.size(), most_changes_shown);
    for (std::size_t i = 0; i < shown; ++i)
        if (chip(ui,
                 {"removal." + std::to_string(i),
                  intervention_name(ui, frame.workspace.config(), what_ifs[i]),
                  ui.text("removals.undo"),
                  {}},
                 {ui.theme.palette.danger, false, is_removal(what_ifs[i]), true, -1}) != ChipClick::none)
            back = what_ifs[i];
    if (what_ifs.size() > shown)
        ImGui::TextUnformatted(ui.text("removals.more", {{"count", std::to_string(what_ifs.size() - shown)}}).c_str());
    if (back) toggle(what_ifs, *back);
}

}  // namespace

std::string half_in_title(const Frame& frame) { return frame.other == nullptr ? "" : frame.right ? " · B" : " · A"; }

float changes_height(const Ui& ui, std::size_t changes) {
    const auto rows = static_cast<float>(std::min(changes, most_rows_seen));
    return rows * ui.theme.px(32) + std::max(0.0F, rows - 1) * ImGui::GetStyle().ItemSpacing.y;
}

std::optional<EdgeOffer> edge_offer(const Model& model, const WhatIfs& what_ifs) {
    for (auto i = what_ifs.rbegin(); i != what_ifs.rend(); ++i)
        if (const std::optional<std::string> picture = edge_picture(model, *i)) return EdgeOffer{*i, *picture};
    return std::nullopt;
}

bool offers_brush(const Frame& frame) {
    return step_at(frame.selection.focus).own.painted && !frame.state().lecture.on;
}

void switches_part(const Explanation& e, const Frame& frame) {
    const Step& step = step_at(e.selection.focus);
    for (const char* const name : step.sliders) what_if_slider(e.ui, *what_if_named(name), frame.what_ifs);
    if (offers_brush(frame) &&
        button(e.ui, {"brush.take", e.ui.text("brush.take"), e.ui.text("brush.take_tip"), frame.key_of("brush")},
               {Emphasis::plain, Icon::pointer}))
        frame.commands().add("brush");
    if (step.switches == nullptr) return;
    const std::vector<Intervention> offered = step.switches(e.now, e.selection.focus);
    for (const Intervention& i : offered) draw_switch(e, frame, i);
    if (std::any_of(offered.begin(), offered.end(), is_design)) {
        paragraph(e.ui, e.ui.text("switches.trained"));
        e.ui.probe.mark_item("switches.trained", 0, e.ui.text("switches.trained"));
    }
}

void changed_part(const Frame& frame) {
    const Ui& ui = frame.ui;
    const std::string title = ui.text("removals.title") + half_in_title(frame);
    heading(ui, title);
    ui.probe.mark_item("removals.title", 0, title);
    begin_child({"changes", 0, changes_height(ui, frame.what_ifs.size()), false, false, 0});
    change_chips(frame);
    ImGui::EndChild();
}

void restore_row(const Frame& frame) {
    const Ui& ui = frame.ui;
    const std::string words = ui.text("removals.restore");
    const float width = measure_text(ui.theme, words, Font::body).x + ui.theme.px(2 * 14 + 16 + 8);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
    if (button(ui, {"removals.restore", words, ui.text("removals.restore_tip"), frame.key_of("restore")},
               {Emphasis::plain, Icon::undo}))
        frame.what_ifs.clear();
}

void edge_row(const Frame& frame, bool tells_change) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const auto caption = [&](const std::string& id, const std::string& key) {
        const std::string& words = ui.text(key);
        paragraph(ui, {words, Font::caption, ui.theme.palette.muted, Align::left});
        ui.probe.mark_item(id, static_cast<double>(first_probability(now)), words);
    };
    const float top = ImGui::GetCursorPosY(), width = ImGui::GetContentRegionAvail().x;
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const RichText hint{ui.text("removals.none"), Font::caption, ui.theme.palette.muted, Align::left};
    const float height =
        std::max(ui.theme.px(36), measure_rich(canvas, hint, width).y) + ImGui::GetStyle().ItemSpacing.y;
    const std::optional<EdgeOffer> offer = edge_offer(*now.model, frame.what_ifs);
    const std::optional<AnswerChange> change = change_of(now);
    if (tells_change && change && now.experiment.what_ifs == frame.what_ifs) {
        const std::string words =
            class_name(ui, *now.model, change->chosen) + ": " + change_words(ui, *change, "change.short");
        paragraph(ui, {words, Font::caption, ui.theme.palette.text, Align::left});
        ui.probe.mark_item("change.short", change->margin(), words);
    } else if (frame.what_ifs.empty())
        caption("removals.none", "removals.none");
    else if (offer && shows(frame, offer->picture))
        caption("edge.here", edge_words(now));
    else if (offer && change && moves_answer(*change))
        caption("edge.moves", "edge.moves");
    else if (offer && change &&
             button(ui, {"edge.try", ui.text("edge.try"), ui.text("edge.try_tip"), frame.key_of("edge_picture")},
                    {is_still_sure(*change) ? Emphasis::primary : Emphasis::plain, Icon::picture, -1}))
        frame.commands().add("edge_picture");
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + height));
}

}  // namespace vitrine
