#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/panels/code_block.h"
#include "app/rooms/panels/code_listing.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/reference_rows.h"
#include "app/rooms/panels/scrolling_parts.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

const Step& step_of(const Selection& selection) { return curriculum()[static_cast<std::size_t>(selection.focus.step)]; }

void equation_part(const Explanation& e, const PanelContext& panel) {
    if (!foldable(e.ui, "equation", panel)) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, margin = e.ui.theme.px(4), most = e.ui.theme.px(300);
    float height = step_equation(e, {at.x, at.y + margin, at.x + width, at.y + most});
    for (const std::string& id : equation_ids(step_of(e.selection)))
        height = std::max(height, std::min(most, equation_size(e.ui, {id, {}, {}}, width).y));
    ImGui::Dummy({width, height + 3 * margin});
}

/// Note that the number is pinned, and how to unpin it.
void kept_number(const Explanation& e) {
    const Ui& ui = e.ui;
    const std::string name = cell_name(ui, e.now, *e.selection.focus.cell);
    if (chip(ui, {"cell.kept", ui.text("cell.kept", {{"cell", name}}), ui.text("cell.kept_tip"), "Esc"},
             {ui.theme.palette.accent, true, false, true, -1}) == ChipClick::switched)
        e.selection.focus.cell.reset();
}

/// The current number written out, then the step's numbers.
void numbers_part(const Explanation& e, const PanelContext& panel) {
    if (!foldable(e.ui, "numbers", panel)) return;
    const Step& step = step_of(e.selection);
    std::optional<Cell> cell = e.selection.cell_in_view();
    if (!cell && step.cell) cell = step.cell(e.now, e.selection);
    std::string all;
    if (cell)
        for (const std::string& line : computation(e.ui, e.now, *cell)) {
            paragraph(e.ui, RichText{line, Font::body, e.ui.theme.palette.text});
            all += (all.empty() ? "" : "\n") + without_markup(line);
        }
    if (e.selection.focus.cell) kept_number(e);
    if (!all.empty()) {
        e.ui.probe.mark_item("computation", static_cast<double>(value_of(record_of(e.now), *cell)), all);
        ImGui::Dummy({1, e.ui.theme.px(4)});
    }
    int number = 0;
    for (const Fact& fact : facts_of(e.ui, step, e.now, e.selection)) fact_row(e.ui, fact, number++);
}

/// The step's switches, each with its effect on the prediction below.
void foldable_switches(const Explanation& e, const Frame& frame) {
    const Step& step = step_of(e.selection);
    if (step.switches == nullptr && step.sliders.empty()) return;
    if (foldable(e.ui, "switches", frame.panel)) switches_part(e, frame);
}

void words_part(const Explanation& e, const PanelContext& panel) {
    if (!foldable(e.ui, "words", panel)) return;
    const Step& step = step_of(e.selection);
    linked_paragraph(e.ui, "words", step_text(e.ui, step, "words"), panel.commands);
    if (!has_step_text(e.ui, step, "mistake")) return;
    ImGui::Dummy({1, e.ui.theme.px(4)});
    paragraph(e.ui, "{strong|" + e.ui.text("words.mistake") + "} " + step_text(e.ui, step, "mistake"));
    e.ui.probe.mark_item("mistake", 0, step_text(e.ui, step, "mistake"));
}

/// The step in PyTorch, with copying by button or C.
void code_part(const Explanation& e, const PanelContext& panel) {
    const Step& step = step_of(e.selection);
    const bool copied = ImGui::GetTime() < panel.state.copied_until;
    if (!foldable(e.ui, "code", panel)) return;
    code_block(e.ui, code_listing(step.id, e.now.model->config, e.selection.focus.block));
    const Control copy{"code.copy", e.ui.text(copied ? "code.copied" : "code.copy"), e.ui.text("code.copy_tip"),
                       panel.table.keys("copy_code")};
    if (button(e.ui, copy)) panel.commands.add("copy_code");
}

/// A question for the class; a key shows the answer, and a tick shows that the learner has done the task.
void question_part(const Explanation& e, const Frame& frame) {
    const PanelContext& panel = frame.panel;
    if (!foldable(e.ui, "question", panel)) return;
    const Ui& ui = e.ui;
    const Step& step = step_of(e.selection);
    const bool done = panel.settings.answered.contains(std::string(step.id));
    linked_paragraph(ui, "question", (done ? "{value|✓} " : "") + step_text(ui, step, "question"), panel.commands);
    ui.probe.mark_item("question", done ? 1 : 0, step_text(ui, step, "question"));
    if (const auto tell = answers_of(frame.state().room).teaching.tell_guess; tell != nullptr) tell(frame);
    const char* const words = panel.state.answer_shown ? "question.hide" : "question.show";
    if (button(ui, {"question.answer", ui.text(words), ui.text("question.tip"), panel.table.keys("answer")}))
        panel.commands.add("answer");
    if (!panel.state.answer_shown) return;
    const std::string answer = answer_text(ui, step, e.now, e.selection);
    linked_paragraph(ui, "answer", answer, panel.commands);
    ui.probe.mark_item("answer", 0, answer);
}

/// Link from a chapter to models trained with and without its subject.
void learn_part(const Explanation& e, const PanelContext& panel) {
    const Step& step = step_of(e.selection);
    if (step.learn == nullptr) return;
    if (button(e.ui, {"learn.watch_it", e.ui.text("learn.watch_it"), e.ui.text("learn.watch_it_tip"), {}},
               {Emphasis::plain, Icon::play, -1}))
        panel.commands.add(command::WatchLearning{step.learn});
}

/// The chapter's references.
void references_part(const Explanation& e, const PanelContext& panel) {
    const std::string place = "step." + std::string(step_of(e.selection).id);
    if (references_of(place).empty() || !foldable(e.ui, "references", panel)) return;
    reference_rows(e.ui, place, panel.commands);
}

}  // namespace

Explanation explanation_of(const Frame& frame) { return {frame.ui, *frame.shown().result, frame.selection}; }

void fact_row(const Ui& ui, const Fact& fact, int number) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = theme.px(27);
    const float label_width = canvas.measure(fact.label, Font::body).x,
                value_width = canvas.measure(fact.value, Font::mono).x;
    const bool below = label_width + value_width + theme.px(10) > width;  // a long label takes a line of its own
    const float height = below ? 2 * line : line;
    if (fact.full.empty())
        ImGui::Dummy({width, height - theme.px(6)});
    else
        ImGui::InvisibleButton(("fact." + std::to_string(number)).c_str(), {width, height - theme.px(6)});
    ui.probe.mark_item("fact." + std::to_string(number), 0, fact.label + " = " + fact.value);
    if (ui.keyboard != nullptr && !fact.full.empty()) {
        const Rect row{at.x, at.y, at.x + width, at.y + height - theme.px(6)};
        ui.keyboard->announce("fact." + std::to_string(number), row);
        focus_ring(ui, canvas, row, theme.px(4));
    }
    if (!fact.full.empty()) tooltip(ui, fact.full);
    canvas.text({at.x, at.y + theme.px(2)}, fitted(canvas, fact.label, Font::body, width),
                {Font::body, theme.palette.muted, Align::left});
    canvas.text({at.x + width, at.y + height - line + theme.px(3)}, fact.value,
                {Font::mono, theme.palette.text, Align::right});
}

bool foldable(const Ui& ui, const std::string& id, const PanelContext& panel) {
    bool open = !panel.settings.folded.contains(id);
    begin_part(ui.text("section." + id));
    const bool shown = section(ui, {"section." + id, ui.text("section." + id), ui.text("section.tip"), {}}, open);
    if (open)
        panel.settings.folded.erase(id);
    else
        panel.settings.folded.insert(id);
    return shown;
}

float step_equation(const Explanation& e, Rect rect) {
    const Step& step = step_of(e.selection);
    const std::string id = equation_id(step, e.now, e.selection.focus), words = step_text(e.ui, step, "equation");
    const EquationFigure figure = {id, {e.selection.hovered_symbol()}, without_markup(words)};
    const Point size = equation_size(e.ui, figure, rect.width());
    const float shrunk = std::min(1.0F, rect.height() / std::max(1.0F, size.y));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.ui);
    const Rect place{rect.x0, rect.y0, rect.x0 + std::min(rect.width(), size.x * shrunk + 1), rect.y1};
    const EquationHit hit = equation_figure(canvas, e.ui, place, figure);
    if (!hit.symbol.empty()) e.selection.hover_symbol(hit.symbol);
    return size.y * shrunk;
}

void equation_item(const Ui& ui, Selection& selection, EquationFigure figure) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, margin = ui.theme.px(4);
    figure.lit = {selection.hovered_symbol()};
    const Point size = equation_size(ui, figure, width);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const EquationHit hit =
        equation_figure(canvas, ui, {at.x, at.y + margin, at.x + width, at.y + margin + size.y}, figure);
    if (!hit.symbol.empty()) selection.hover_symbol(hit.symbol);
    ImGui::Dummy({width, size.y + 3 * margin});
}

void equation_if_it_fits(const Explanation& e, Rect rect) {
    const std::string id = equation_id(step_of(e.selection), e.now, e.selection.focus);
    const EquationFigure figure = {id, {}, {}};
    const Point whole = equation_size(e.ui, figure, 1e6F);
    constexpr float least = 0.75F;
    if (rect.height() >= whole.y * least && rect.width() >= whole.x * least) step_equation(e, rect);
}

void explanation_panel(const Frame& frame) {
    const Explanation explanation = explanation_of(frame);
    const PanelContext& panel = frame.panel;
    const Step& step = step_of(explanation.selection);
    const auto draw = [&] {
        equation_part(explanation, panel);
        foldable_switches(explanation, frame);
        learn_part(explanation, panel);
        numbers_part(explanation, panel);
        words_part(explanation, panel);
        code_part(explanation, panel);
        question_part(explanation, frame);
        references_part(explanation, panel);
    };
    above_prediction(frame, {.draw = draw, .switches = step.switches != nullptr || !step.sliders.empty()});
}

}  // namespace vitrine
