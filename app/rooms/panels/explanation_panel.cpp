#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/panels/code_block.h"
#include "app/rooms/panels/code_listing.h"
#include "app/rooms/panels/glossary_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/reference_rows.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// So many classes are shown while nothing is changed; what is changed takes the place of some of them.
constexpr int classes_shown = 6, classes_shown_low = 5, classes_shown_least = 3, classes_hidden = 3;

/// The height of what must be told of the answer, as of the last frame: it is the image's and the model's alone.
float& notices_height() { return *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("notices"), 0.0F); }

/// How many classes have room, and how high the notices over them are.
struct PredictionRoom {
    int classes;
    float& notices;
};

/// The chapter or instrument that the panel shows, as a number.
int subject_of(const Focus& focus) { return focus.step + 1000 * place_of(focus.lab.instrument); }

/// That the answer means nothing, on one line. Why, and the way out of it, unfold: by themselves the first time that
/// the prediction is shown, then where they are asked for; the next chapter has them folded.
void foreign_note(const Frame& frame, int classes) {
    const Ui& ui = frame.ui;
    const Focus& focus = frame.selection.focus;
    const int here = subject_of(focus);
    int& unfolded_at = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("foreign"), -1);
    const bool at_prediction = room_of(frame.state().room).chapters && focus.step == step_index("prediction");
    if (at_prediction && frame.desk.settings.folded.insert("foreign").second) unfolded_at = here;
    if (unfolded_at != here) unfolded_at = -1;
    bool open = unfolded_at == here;
    const std::string title = ui.text("foreign.title");
    const std::string words = ui.text("foreign.words", {{"count", std::to_string(classes)}});
    section(ui, {"foreign.fold", title, ui.text("foreign.fold_tip"), {}}, open);
    ui.probe.mark_item("foreign", open ? 1 : 0, title + " " + words);
    if (open != (unfolded_at == here)) unfolded_at = open ? here : -1;
    if (!open) return;
    paragraph(ui, words);
    if (button(ui, {"foreign.help", ui.text("foreign.action"), ui.text("foreign.tip"), {}},
               {Emphasis::primary, Icon::question, -1}))
        frame.commands().add(command::ShowDialog{"photographs"});
}

/// What the model says and what must be told of it, always in sight, with the change that the what-ifs make.
void prediction_card(const Frame& frame, const Result& now, PredictionRoom room) {
    const Ui& ui = frame.ui;
    const Desk& desk = frame.desk;
    const Theme& theme = ui.theme;
    heading(ui, ui.text("prediction.title"));
    const float top = ImGui::GetCursorPosY();
    const bool foreign = now.model->provenance.path.empty() && !now.image->bundled;
    if (foreign) foreign_note(frame, now.model->config.classes);
    if (desk.state.model_changed) {
        paragraph(ui, ui.text("model.changed"));
        ui.probe.mark_item("model.changed", 0, ui.text("model.changed"));
        if (button(ui, {"model.reload", ui.text("model.reload"), ui.text("model.reload_tip"), {}},
                   {Emphasis::primary, Icon::undo, -1}))
            desk.commands.add("reload_model");
    }
    room.notices = ImGui::GetCursorPosY() - top;
    if (now.model->config.classes == 0) {
        paragraph(ui, ui.text("prediction.none"));
        return;
    }
    const std::vector<BarRow> rows = class_rows(ui, now, room.classes);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect rect{at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + 1000};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float height = bar_list(canvas, ui, rect, {rows, 1.0, BarUnit::fraction, theme.palette.accent});
    for (std::size_t i = 0; i < rows.size(); ++i)
        ui.probe.mark("top." + std::to_string(i), bar_row_rect(ui, rect, static_cast<int>(i)), rows[i].value,
                      rows[i].label);
    const Rect below{rect.x0, rect.y0 + height + theme.px(2), rect.x1, rect.y1};
    ImGui::Dummy({1, height + (change_of(now) ? theme.px(2) + change_figure(canvas, ui, below, now, "change") : 0)});
}

const Step& step_of(const Selection& selection) { return curriculum()[static_cast<std::size_t>(selection.focus.step)]; }

void equation_part(const Explanation& e, const Desk& desk) {
    if (!foldable(e.ui, "equation", desk)) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, margin = e.ui.theme.px(4), most = e.ui.theme.px(300);
    float height = step_equation(e, {at.x, at.y + margin, at.x + width, at.y + most});
    for (const std::string& id : equation_ids(step_of(e.selection)))
        height = std::max(height, std::min(most, equation_size(e.ui, {id, {}, {}}, width).y));
    ImGui::Dummy({width, height + 3 * margin});
}

/// That the number is kept while the pointer goes elsewhere, and how to let it go.
void kept_number(const Explanation& e) {
    const Ui& ui = e.ui;
    const std::string name = cell_name(ui, e.now, *e.selection.focus.cell);
    if (chip(ui, {"cell.kept", ui.text("cell.kept", {{"cell", name}}), ui.text("cell.kept_tip"), "Esc"},
             {ui.theme.palette.accent, true, false, true, -1}) == ChipClick::switched)
        e.selection.focus.cell.reset();
}

/// The number in view written out, then what belongs to the step.
void numbers_part(const Explanation& e, const Desk& desk) {
    if (!foldable(e.ui, "numbers", desk)) return;
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
    for (const Fact& fact : step.facts(e.ui, e.now, e.selection)) fact_row(e.ui, fact, number++);
}

/// What can be changed here, each with its effect on the prediction below.
void foldable_switches(const Explanation& e, const Frame& frame) {
    const Step& step = step_of(e.selection);
    if (step.switches == nullptr && step.sliders.empty()) return;
    if (foldable(e.ui, "switches", frame.desk)) switches_part(e, frame);
}

void words_part(const Explanation& e, const Desk& desk) {
    if (!foldable(e.ui, "words", desk)) return;
    const Step& step = step_of(e.selection);
    glossary_paragraph(e.ui, "words", step_text(e.ui, step, "words"), desk.commands);
    if (!has_step_text(e.ui, step, "mistake")) return;
    ImGui::Dummy({1, e.ui.theme.px(4)});
    paragraph(e.ui, "{strong|" + e.ui.text("words.mistake") + "} " + step_text(e.ui, step, "mistake"));
    e.ui.probe.mark_item("mistake", 0, step_text(e.ui, step, "mistake"));
}

/// The same step in PyTorch, to be copied by a button or by C.
void code_part(const Explanation& e, const Desk& desk) {
    const Step& step = step_of(e.selection);
    const bool copied = ImGui::GetTime() < desk.state.copied_until;
    if (!foldable(e.ui, "code", desk)) return;
    code_block(e.ui, code_listing(step.id, e.now.model->config, e.selection.focus.block));
    const Control copy{"code.copy", e.ui.text(copied ? "code.copied" : "code.copy"), e.ui.text("code.copy_tip"),
                       desk.table.keys("copy_code")};
    if (button(e.ui, copy)) desk.commands.add("copy_code");
}

/// A question for the class; its answer on a key, and a tick once the learner has done what it asks for.
void question_part(const Explanation& e, const Desk& desk) {
    if (!foldable(e.ui, "question", desk)) return;
    const Ui& ui = e.ui;
    const Step& step = step_of(e.selection);
    const bool done = desk.settings.answered.contains(std::string(step.id));
    glossary_paragraph(ui, "question", (done ? "{value|✓} " : "") + step_text(ui, step, "question"), desk.commands);
    ui.probe.mark_item("question", done ? 1 : 0, step_text(ui, step, "question"));
    const char* const words = desk.state.answer_shown ? "question.hide" : "question.show";
    if (button(ui, {"question.answer", ui.text(words), ui.text("question.tip"), desk.table.keys("answer")}))
        desk.commands.add("answer");
    if (!desk.state.answer_shown) return;
    const std::string answer = answer_text(ui, step, e.now, e.selection);
    glossary_paragraph(ui, "answer", answer, desk.commands);
    ui.probe.mark_item("answer", 0, answer);
}

/// The way from a chapter to models that learn with and without what it speaks of.
void learn_part(const Explanation& e, const Desk& desk) {
    const Step& step = step_of(e.selection);
    if (step.learn == nullptr) return;
    if (button(e.ui, {"learn.watch_it", e.ui.text("learn.watch_it"), e.ui.text("learn.watch_it_tip"), {}},
               {Emphasis::plain, Icon::play, -1}))
        desk.commands.add(command::WatchLearning{step.learn});
}

/// The chapter or instrument that the panel showed in the last frame; another one begins at its top.
void begin_at_the_top(const Frame& frame) {
    int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("shown"), -1);
    const int subject = subject_of(frame.selection.focus);
    if (shown != subject) ImGui::SetScrollY(0);
    shown = subject;
}

/// What the chapter rests on.
void references_part(const Explanation& e, const Desk& desk) {
    const std::string place = "step." + std::string(step_of(e.selection).id);
    if (references_of(place).empty() || !foldable(e.ui, "references", desk)) return;
    reference_rows(e.ui, place, desk.commands);
}

}  // namespace

void fact_row(const Ui& ui, const Fact& fact, int number) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = theme.px(27);
    const float label_width = canvas.measure(fact.label, Font::body).x,
                value_width = canvas.measure(fact.value, Font::mono).x;
    const bool below = label_width + value_width + theme.px(10) > width;  // a long label has a line of its own
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

bool foldable(const Ui& ui, const std::string& id, const Desk& desk) {
    bool open = !desk.settings.folded.contains(id);
    const bool shown = section(ui, {"section." + id, ui.text("section." + id), ui.text("section.tip"), {}}, open);
    if (open)
        desk.settings.folded.erase(id);
    else
        desk.settings.folded.insert(id);
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

void above_prediction(const Frame& frame, const std::function<void()>& content) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const float available = ImGui::GetContentRegionAvail().y;
    const bool lab = room_of(frame.state().room).measures;  // its controls need the room
    float& notices = notices_height();
    // A note that unfolds takes the place of classes: what was clicked stays where it is.
    const float folded = std::min(notices, theme.px(39));
    const bool small = available < theme.px(620) + 1.5F * folded;
    const bool any = !frame.what_ifs.empty(), low = !lab && !any && small;
    const int whole = low || (lab && small && notices > 0) ? classes_shown_least
                      : !lab && available >= theme.px(800) ? classes_shown
                                                           : classes_shown_low;
    const float changed = theme.px(144), bar = bar_row_rect(ui, {}, 0).height();
    const float foot =
        theme.px(34) + bar * static_cast<float>(whole) + theme.px(lab || low ? 20 : 66) + (any ? notices : folded);
    const float bottom = std::min(foot, available * 0.7F);
    begin_child({"explanation.scroll", 0, available - bottom - theme.px(10), false, false, 0});
    begin_at_the_top(frame);
    content();
    ImGui::EndChild();

    ImGui::Separator();
    begin_child({"explanation.bottom", 0, 0, false, false, 0});
    if (any) changed_part(frame, changed);
    // The first class before and the first one after always have room.
    const int covered = static_cast<int>(std::ceil((notices - folded) / bar));
    const int classes = any ? std::max(whole - classes_hidden, 2) : std::max(whole - covered, 1);
    prediction_card(frame, *frame.shown().result, {classes, notices});
    if (!any && !lab && !low)
        paragraph(ui, {ui.text("removals.none"), Font::caption, theme.palette.muted, Align::left});
    ImGui::EndChild();
}

void explanation_panel(const Frame& frame) {
    const Explanation explanation = explanation_of(frame);
    const Desk& desk = frame.desk;
    above_prediction(frame, [&] {
        equation_part(explanation, desk);
        foldable_switches(explanation, frame);
        learn_part(explanation, desk);
        numbers_part(explanation, desk);
        words_part(explanation, desk);
        code_part(explanation, desk);
        question_part(explanation, desk);
        references_part(explanation, desk);
    });
}

}  // namespace vitrine
