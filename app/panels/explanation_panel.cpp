#include <imgui.h>

#include <algorithm>

#include "app/imgui_compat.h"
#include "app/panels/panels.h"
#include "app/probe.h"
#include "app/text.h"
#include "app/theme.h"
#include "app/widgets/bars.h"
#include "app/widgets/cards.h"
#include "app/widgets/controls.h"
#include "app/widgets/equation.h"
#include "app/widgets/rich_text.h"
#include "core/experiment.h"

namespace vitrine {

namespace {

constexpr int classes_shown = 5;

bool foldable(const Ui& ui, const std::string& id, Chrome& chrome) {
    bool open = !chrome.settings.folded.contains(id);
    const bool shown = section(ui, {"section." + id, ui.text("section." + id), ui.text("section.tip"), {}}, open);
    if (open)
        chrome.settings.folded.erase(id);
    else
        chrome.settings.folded.insert(id);
    return shown;
}

/// The step's equation as it is typeset, else as a line of text; what is pointed at in it lights up everywhere.
void equation_part(const Ui& ui, const Step& step, Selection& selection) {
    const std::string& words = step_text(ui, step, "equation");
    const EquationFigure figure = {std::string(step.id), {selection.hovered_symbol()}, without_markup(words)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, margin = ui.theme.px(4);
    const Point size = equation_size(ui, figure, width);
    if (size.y <= 0) return paragraph(ui, RichText{words, Font::heading, ui.theme.palette.text});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Rect rect{at.x, at.y + margin, at.x + width, at.y + margin + size.y};
    const EquationHit hit = equation_figure(canvas, ui, rect, figure);
    if (!hit.symbol.empty()) selection.hover_symbol(hit.symbol);
    ImGui::Dummy({width, size.y + 3 * margin});
}

/// Label on the left, number on the right; all its digits on hover.
void fact_row(const Ui& ui, const Fact& fact, int number) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = theme.px(27);
    const float value_width = canvas.measure(fact.value, Font::mono).x;
    ImGui::InvisibleButton(("fact." + std::to_string(number)).c_str(), {width, height - theme.px(6)});
    ui.probe.mark_item("fact." + std::to_string(number), 0, fact.label + " = " + fact.value);
    if (!fact.full.empty()) tooltip(ui, fact.full);
    canvas.text({at.x, at.y + theme.px(2)}, fitted(canvas, fact.label, Font::body, width - value_width - theme.px(10)),
                {Font::body, theme.palette.muted, Align::left});
    canvas.text({at.x + width, at.y + theme.px(3)}, fact.value, {Font::mono, theme.palette.text, Align::right});
}

/// What is switched off, each with its way back.
void removals(const Ui& ui, WhatIfs& what_ifs) {
    if (what_ifs.empty()) return;
    ImGui::PushFont(ui.theme.font(Font::strong));
    ImGui::TextUnformatted(ui.text("removals.title").c_str());
    ImGui::PopFont();
    std::optional<Intervention> back;
    const std::size_t shown = std::min<std::size_t>(what_ifs.size(), 4);
    for (std::size_t i = 0; i < shown; ++i)
        if (chip(ui, {"removal." + std::to_string(i), intervention_name(ui, what_ifs[i]), ui.text("switch.on"), {}},
                 {ui.theme.palette.danger, false, true, true, -1}) != ChipClick::none)
            back = what_ifs[i];
    if (what_ifs.size() > shown)
        ImGui::TextUnformatted(ui.text("removals.more", {{"count", std::to_string(what_ifs.size() - shown)}}).c_str());
    if (back) toggle(what_ifs, *back);
    if (button(ui, {"removals.restore", ui.text("removals.restore"), ui.text("removals.restore_tip"), "Backspace"},
               {Emphasis::plain, Icon::undo, -1}))
        what_ifs.clear();
}

/// The best classes, always in sight, with the change that the what-ifs make.
void prediction_card(const Ui& ui, const Result& now, Chrome& chrome) {
    const Theme& theme = ui.theme;
    ImGui::PushFont(theme.font(Font::strong));
    ImGui::TextUnformatted(ui.text("prediction.title").c_str());
    ImGui::PopFont();
    const bool foreign = now.model->provenance.path.empty() && !now.image->bundled;
    if (foreign) {
        paragraph(ui, ui.text("foreign.words"));
        ui.probe.mark_item("foreign", 0, ui.text("foreign.words"));
        if (button(ui, {"foreign.help", ui.text("foreign.action"), ui.text("foreign.tip"), {}},
                   {Emphasis::primary, Icon::question, -1}))
            chrome.dialog = Dialog::photographs;
    }
    if (now.model->config.classes == 0) {
        paragraph(ui, ui.text("prediction.none"));
        return;
    }
    const std::vector<BarRow> rows = class_rows(now, classes_shown);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect rect{at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + 1000};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float height = bar_list(canvas, ui, rect, {rows, 1.0, BarUnit::fraction, theme.palette.accent});
    for (std::size_t i = 0; i < rows.size(); ++i)
        ui.probe.mark("top." + std::to_string(i), bar_row_rect(ui, rect, static_cast<int>(i)), rows[i].value,
                      rows[i].label);
    ImGui::Dummy({1, height});
}

/// The height of what stands at the bottom, measured in the last frame.
float& bottom_height() { return *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("bottom"), 240.0F); }

}  // namespace

std::string intervention_name(const Ui& ui, const Intervention& i) {
    const auto number = [](std::optional<int> n) { return std::to_string(n.value_or(0)); };
    switch (i.site) {
        case Site::heads:
            return ui.text("removal.head", {{"head", number(i.where.head)}, {"block", number(i.where.block)}});
        case Site::mlp_out: return ui.text("removal.mlp", {{"block", number(i.where.block)}});
        case Site::position: return ui.text("removal.positions");
        default: return ui.text("removal.patch", {{"token", number(i.where.token)}});
    }
}

void explanation_panel(const Explanation& explanation, WhatIfs& what_ifs, Chrome& chrome) {
    const auto& [ui, now, selection] = explanation;
    const Step& step = curriculum()[static_cast<std::size_t>(selection.focus.step)];
    const float available = ImGui::GetContentRegionAvail().y;
    const float bottom = std::min(bottom_height(), available * 0.7F);
    begin_child({"explanation.scroll", 0, available - bottom - ui.theme.px(10), false, false, 0});
    if (foldable(ui, "equation", chrome)) equation_part(ui, step, selection);
    if (foldable(ui, "numbers", chrome)) {
        int number = 0;
        for (const Fact& fact : step.facts(ui, now, selection)) fact_row(ui, fact, number++);
    }
    if (foldable(ui, "words", chrome)) paragraph(ui, step_text(ui, step, "words"));
    ImGui::EndChild();

    ImGui::Separator();
    begin_child({"explanation.bottom", 0, 0, false, false, 0});
    const float start = ImGui::GetCursorPosY();
    removals(ui, what_ifs);
    prediction_card(ui, now, chrome);
    const float height = ImGui::GetCursorPosY() - start;
    ImGui::EndChild();
    bottom_height() = height;
}

}  // namespace vitrine
