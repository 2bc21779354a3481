#include "app/rooms/panels/chapter_parts.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/code_listing.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/reference_rows.h"
#include "app/rooms/panels/stop_controls.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/kept.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

const RoomAnswers& chapters_in(const Frame& frame) { return chapters_of(frame.state().room); }

void numbers_part(const Frame& frame, const Teaching& room) {
    if (!room.numbers.there(frame) || !foldable(frame.ui, "numbers", frame.panel)) return;
    if (room.written_out != nullptr && !points_at_number(frame)) room.written_out(frame);
    room.numbers.draw(frame);
}

void words_part(const Frame& frame, const Teaching& room, const PlaceWords& keys) {
    const Ui& ui = frame.ui;
    if (!foldable(ui, "words", frame.panel)) return;
    linked_paragraph(ui, "words", ui.text(keys.words), frame.commands());
    int part = 0;
    if (room.of_model != nullptr)
        for (const std::string& words : room.of_model({ui, frame.workspace, frame.selection})) {
            ImGui::Dummy({1, ui.theme.px(4)});
            paragraph(ui, words);
            ui.probe.mark_item("words.of_model." + std::to_string(part++), 0, words);
        }
    if (!ui.text.has(keys.mistake)) return;
    ImGui::Dummy({1, ui.theme.px(4)});
    paragraph(ui, "{strong|" + ui.text("words.mistake") + "} " + ui.text(keys.mistake));
    ui.probe.mark_item("mistake", 0, ui.text(keys.mistake));
}

/// Draws code at ImGui's cursor, across the remaining width, with muted comments. Its probe id is "code".
void code_block(const Ui& ui, const std::string& listing) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, pad = theme.px(10);
    const Point letter = canvas.measure("0", Font::mono);
    const int columns = code_columns(width - 2 * pad, letter.x);
    const std::vector<std::string> lines = wrapped_code(listing, columns);
    const Rect rect{at.x, at.y, at.x + width, at.y + 2 * pad + letter.y * static_cast<float>(lines.size())};
    canvas.fill(rect, theme.palette.raised, theme.px(6));
    float y = rect.y0 + pad;
    for (const std::string& line : lines) {
        const std::size_t comment = std::min(line.find('#'), line.size());
        const std::string code = line.substr(0, comment), rest = line.substr(comment);
        canvas.text({rect.x0 + pad, y}, code, {Font::mono, theme.palette.text, Align::left});
        canvas.text({rect.x0 + pad + canvas.measure(code, Font::mono).x, y}, rest,
                    {Font::mono, theme.palette.muted, Align::left});
        y += letter.y;
    }
    ui.probe.mark("code", rect, static_cast<double>(lines.size()), listing);
    ImGui::Dummy({width, rect.height()});
}

/// What-ifs that make a chapter's equation wrong and for which it has no variant.
struct UnshownChanges {
    std::string_view step;
    std::vector<std::string_view> what_ifs;
};

const std::array<UnshownChanges, 8>& unshown_changes() {
    static const std::array<UnshownChanges, 8> rows = {{
        {"position_embedding", {"positions", "shuffle", "swap", "positions-interpolate"}},
        {"qkv", {"temperature", "no-norm", "pre-norm", "post-norm"}},
        {"scores", {"temperature", "k=q", "v=q"}},
        {"attention_matrix", {"temperature", "k=q", "v=q"}},
        {"attention", {"temperature", "k=q", "v=q"}},
        {"residual", {"no-norm"}},
        {"mlp", {"no-norm", "pre-norm", "post-norm", "no-skip", "activation"}},
        {"activation", {"activation"}},
    }};
    return rows;
}

/// The display names of such what-ifs in this run; empty if there are none. `block` is the chosen one, from 1.
std::string changes_of_equation(const Ui& ui, const Step& step, const Result& now, int block) {
    const auto row = std::ranges::find(unshown_changes(), std::string_view(step.id), &UnshownChanges::step);
    if (row == unshown_changes().end()) return {};
    std::string names;
    for (const Intervention& change : now.experiment.what_ifs) {
        const std::optional<KnownWhatIf> known = known_what_if(change);
        const bool here = !change.where.block || *change.where.block == block;
        if (!known || !here ||
            std::ranges::find(row->what_ifs, std::string_view(known->row->name)) == row->what_ifs.end())
            continue;
        names += (names.empty() ? "" : ", ") + change_name(ui, now.model->config, change);
    }
    return names;
}

/// The typeset equation, and the changes of this run that it does not show.
void equation_part(const Frame& frame, const Formula& formula) {
    if (!foldable(frame.ui, "equation", frame.panel)) return;
    equation_item(frame.ui, frame.selection, formula);
    const auto changed = chapters_in(frame).teaching.changed_equation;
    const std::string words = changed == nullptr ? "" : changed({frame.ui, frame.workspace, frame.selection});
    if (words.empty()) return;
    paragraph(frame.ui, RichText{words, Font::body, frame.ui.theme.palette.danger, Align::left});
    frame.ui.probe.mark_item("equation.changed", 0, words);
}

/// The chapter's PyTorch listing, which a button or key copies.
void code_part(const Frame& frame, const Teaching& room) {
    const Ui& ui = frame.ui;
    if (!foldable(ui, "code", frame.panel)) return;
    const bool copied = ImGui::GetTime() < frame.state().copied_until;
    code_block(ui, room.listing(frame.workspace, frame.selection.focus));
    if (button(ui, {room.copy_button, ui.text(copied ? "code.copied" : "code.copy"), ui.text("code.copy_tip"),
                    frame.key_of(room.copy_command)}))
        frame.commands().add(room.copy_command);
}

/// The smallest set of a chapter's switches, one or two, that solves its question; empty if the question is solved or
/// needs more switches.
WhatIfs switches_asked_for(const Step& step, const Result& now, const Selection& selection, const WhatIfs& on) {
    if (step.switches == nullptr || step.answered == nullptr || !now.has(step.own.beside)) return {};
    const auto answers = [&](const WhatIfs& added) {
        WhatIfs all = on;
        for (const Intervention& i : added) put(all, i);
        return step.answered(now, selection, all);
    };
    if (answers({})) return {};
    const WhatIfs offered = step.switches(now, selection.focus);
    for (const Intervention& one : offered)
        if (answers({one})) return {one};
    for (const Intervention& one : offered)
        for (const Intervention& other : offered)
            if (!(one == other) && answers({one, other})) return {one, other};
    return {};
}

/// Below an answer that needs switches, which may be out of view: a button that switches them on.
void switch_on_button(const Frame& frame) {
    const auto step = chapters_in(frame).places.step;
    if (step == nullptr || !frame.shown().result) return;
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const WhatIfs wanted = switches_asked_for(*step(frame.selection.focus), now, frame.selection, frame.what_ifs);
    if (wanted.empty()) return;
    std::string names;
    for (const Intervention& i : wanted) names += (names.empty() ? "" : "\n") + change_name(ui, now.model->config, i);
    const bool both = wanted.size() > 1;
    const std::string words = both ? ui.text("answer.switch_on_both") : ui.text("answer.switch_on", {{"name", names}});
    if (!button(ui, {"answer.switch_on", words, both ? names : std::string(), {}})) return;
    for (const Intervention& i : wanted) put(frame.what_ifs, i);
}

/// A question for the class; a key shows the answer, and a tick shows that the learner has done the task.
void question_part(const Frame& frame, const Teaching& room, const std::string& question) {
    const Ui& ui = frame.ui;
    if (!foldable(ui, "question", frame.panel)) return;
    const bool done = frame.panel.settings.answered.contains(room.chapter(frame.selection.focus));
    linked_paragraph(ui, "question", (done ? "{value|✓} " : "") + question, frame.commands());
    ui.probe.mark_item("question", done ? 1 : 0, question);
    if (room.draw_guess_result != nullptr) room.draw_guess_result(frame);
    const bool shown = frame.state().answer_shown;
    if (button(ui, {"question.answer", ui.text(shown ? "question.hide" : "question.show"), ui.text("question.tip"),
                    frame.key_of(room.answer_command)}))
        frame.commands().add(room.answer_command);
    const bool new_answer = !Kept<bool>("answer told").exchange(shown) && shown;
    if (!shown) return;
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const std::string answer = room.answer({ui, frame.workspace, frame.selection});
    linked_paragraph(ui, "answer", answer, frame.commands());
    ui.probe.mark_item("answer", 0, answer);
    switch_on_button(frame);
    const ImVec2 end = ImGui::GetCursorScreenPos();
    if (new_answer) scroll_into_view({top.x, top.y, end.x + 1, end.y});
}

/// A row: label on the left, number on the right, all digits on hover. Its probe id is "fact.<number>".
void fact_row(const Ui& ui, const Fact& fact, int number) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = theme.px(27);
    const float label_width = canvas.measure(without_markup(fact.label), Font::body).x,
                value_width = canvas.measure(fact.value, Font::mono).x;
    const bool below = label_width + value_width + theme.px(10) > width;  // a long label takes a line of its own
    const float height = below ? 2 * line : line;
    if (fact.full.empty())
        ImGui::Dummy({width, height - theme.px(6)});
    else
        ImGui::InvisibleButton(("fact." + std::to_string(number)).c_str(), {width, height - theme.px(6)});
    ui.probe.mark_item("fact." + std::to_string(number), 0, without_markup(fact.label) + " = " + fact.value);
    if (ui.keyboard != nullptr && !fact.full.empty()) {
        const Rect row{at.x, at.y, at.x + width, at.y + height - theme.px(6)};
        ui.keyboard->announce("fact." + std::to_string(number), row);
        focus_ring(ui, canvas, row, theme.px(4));
    }
    if (!fact.full.empty()) tooltip(ui, fact.full);
    const RichText label{
        label_width <= width ? fact.label : fitted(canvas, without_markup(fact.label), Font::body, width), Font::body,
        theme.palette.muted, Align::left};
    rich_text(canvas, ui, {at.x, at.y + theme.px(2), at.x + width + 1, at.y}, label);
    canvas.text({at.x + width, at.y + height - line + theme.px(3)}, fact.value,
                {Font::mono, theme.palette.text, Align::right});
}

}  // namespace

std::string words_of_changed_equation(const Ui& ui, const Step& step, const Result& now, int block) {
    const std::string changes = changes_of_equation(ui, step, now, block);
    return changes.empty() ? std::string() : ui.text("equation.changed", {{"changes", changes}});
}

void chapter_parts(const Frame& frame) {
    const auto& [places, room, player, work, taking, around] = chapters_in(frame);
    const std::optional<Formula> formula = room.formula({frame.ui, frame.workspace, frame.selection});
    if (!formula) return;
    PlaceWords keys = words_in_view(chapters_in(frame), places.here(frame.selection.focus),
                                    {frame.selection.focus, frame.workspace.text_experiment});
    if (const Result* const now = work.run == nullptr ? nullptr : frame.shown().result.get())
        for (std::string* const key : {&keys.words, &keys.question, &keys.mistake})
            *key = key_for(frame.ui.text, *key, *now);
    words_part(frame, room, keys);
    if (room.switches.there(frame) && foldable(frame.ui, "switches", frame.panel)) room.switches.draw(frame);
    learning_button(frame);
    equation_part(frame, *formula);
    numbers_part(frame, room);
    code_part(frame, room);
    question_part(frame, room, frame.ui.text(keys.question));
    if (!references_of(keys.place).empty() && foldable(frame.ui, "references", frame.panel))
        reference_rows(frame.ui, keys.place, frame.commands());
}

bool points_at_number(const Frame& frame) {
    return chapters_in(frame).teaching.written_out != nullptr && frame.selection.cell_in_view();
}

void pointed_number(const Frame& frame) { chapters_in(frame).teaching.written_out(frame); }

void fact_rows(const Ui& ui, const std::vector<Fact>& facts) {
    int number = 0;
    for (const Fact& fact : facts) fact_row(ui, fact, number++);
}

void show_answer(AppContext& context) { context.state.answer_shown = !context.state.answer_shown; }

void copy_listing(AppContext& context) {
    constexpr double told_seconds = 1.5;
    const std::string listing = chapters_of(context.state.room).teaching.listing(context.workspace(), context.focus());
    if (listing.empty()) return;  // nothing to copy yet
    ImGui::SetClipboardText(listing.c_str());
    context.state.copied_until = ImGui::GetTime() + told_seconds;
}

int chapters_line(const Frame& frame, const ChaptersLine& line) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const RoomAnswers& room = chapters_in(frame);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x, number_width = theme.px(line.number_width);
    const Rect rect{at.x + theme.px(line.inset), at.y - theme.px(2), right - number_width, at.y + theme.px(36)};
    const std::vector<std::string> ids = room.places.all();
    std::vector<std::string> titles;
    for (const std::string& id : ids) titles.push_back(ui.text(room.teaching.words(id).title));
    const auto count = static_cast<float>(ids.size()), gap = theme.px(6), width = (rect.width() + gap) / count - gap;
    const bool all_named = line.names_all && std::ranges::all_of(titles, [&](const std::string& title) {
                               return canvas.measure(title, Font::caption).x <= width;
                           });
    int clicked = line.here;
    for (int i = 0; i < static_cast<int>(ids.size()); ++i) {
        const std::string& title = titles[static_cast<std::size_t>(i)];
        const float x = rect.x0 + static_cast<float>(i) * (width + gap), y = rect.y0 + theme.px(6);
        const bool current = i == line.here;
        const Hit hit =
            hot_area(ui, line.segment + ids[static_cast<std::size_t>(i)], {x, rect.y0, x + width, rect.y1}, title);
        canvas.fill({x, y, x + width, y + theme.px(6)}, current || hit.at ? theme.palette.accent : theme.palette.line,
                    theme.px(3));
        if (all_named || current)
            canvas.text({std::min(x, rect.x1 - canvas.measure(title, Font::caption).x), y + theme.px(11)}, title,
                        {Font::caption, current ? theme.palette.text : theme.palette.muted, Align::left});
        else if (hit.at)
            tooltip(ui, title);
        if (hit.clicked) clicked = i;
    }
    canvas.text({right, at.y + theme.px(6)}, std::to_string(line.here + 1) + " / " + std::to_string(ids.size()),
                {Font::mono, theme.palette.muted, Align::right});
    ui.probe.mark(line.number, {right - number_width, at.y, right, at.y + theme.px(30)}, line.here,
                  ids[static_cast<std::size_t>(line.here)]);
    return clicked;
}

}  // namespace vitrine
