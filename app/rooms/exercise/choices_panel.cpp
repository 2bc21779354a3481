#include <imgui.h>

#include <algorithm>

#include "app/chapters/step.h"
#include "app/rooms/exercise/exercise_views.h"
#include "app/rooms/panels/code_listing.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

/// A choice: a letter, and text or a line of code of any height.
struct Offer {
    std::string id, letter, words;
    bool code = false;
    bool open = true;  // can be chosen
    const char* sign = nullptr;
    Color color = {};
};
bool offer(const Ui& ui, const Offer& o) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, pad = theme.px(8), left = theme.px(34);
    const Point letter = canvas.measure("0", Font::mono);
    std::vector<std::string> rows;
    if (o.code) rows = wrapped_code(o.words, code_columns(width - left - pad, letter.x));
    const RichText words{o.words, Font::body, o.open || o.sign != nullptr ? theme.palette.text : theme.palette.muted};
    const float inside =
        o.code ? letter.y * static_cast<float>(rows.size()) : measure_rich(canvas, words, width - left - pad).y;
    const Rect rect{at.x, at.y, at.x + width, at.y + inside + 2 * pad};
    canvas.fill(rect, o.sign != nullptr ? o.color.with_alpha(0.16F) : theme.palette.raised, theme.px(6));
    bool clicked = false;
    if (o.open) {
        const Hit hit = hot_area(ui, o.id, rect, o.words);
        if (hit.at) canvas.stroke(rect, theme.palette.accent, theme.px(2), theme.px(6));
        clicked = hit.clicked;
    } else {
        ui.probe.mark(o.id, rect, o.sign != nullptr ? 1 : 0, o.words);
    }
    canvas.text({rect.x0 + pad, rect.y0 + pad}, o.sign != nullptr ? o.sign : o.letter,
                {Font::strong, o.sign != nullptr ? o.color : theme.palette.accent, Align::left});
    float y = rect.y0 + pad;
    for (const std::string& row : rows) {
        canvas.text({rect.x0 + left, y}, row, {Font::mono, words.color, Align::left});
        y += letter.y;
    }
    if (!o.code) rich_text(canvas, ui, {rect.x0 + left, y, rect.x1 - pad, rect.y1}, words);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, rect.height()});
    return clicked;
}

std::string letter_of(int choice) { return {static_cast<char>('A' + choice)}; }

std::string trimmed_code(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos ? line : line.substr(first);
}

/// Draws the chosen prediction and the correct one; all three before a choice.
void predictions(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    const Palette& p = ui.theme.palette;
    heading(ui, ui.text("exercise.predict"));
    const bool open = e.task() == Task::predict;
    for (int i = 0; i < predictions_offered; ++i) {
        const bool right = i == e.row.prediction, mine = i == e.progress.predicted;
        if (!open && !right && !mine) continue;
        Offer o{"exercise.predict." + std::to_string(i),
                letter_of(i),
                e.words("predict." + std::to_string(i)),
                false,
                open,
                nullptr,
                {}};
        if (!open) o.sign = right ? "✓" : "✗", o.color = right ? p.value : p.danger;
        if (offer(ui, o)) e.choose(i);
    }
    if (open) return;
    paragraph(ui, e.words("why"));
    ui.probe.mark_item("exercise.why", 0, e.words("why"));
}

void line_task(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    heading(ui, ui.text("exercise.find"));
    const bool tried = e.progress.line >= 0;
    const std::string words = ui.text(e.task() != Task::find ? "exercise.line_found"
                                      : tried                ? "exercise.line_right"
                                                             : "exercise.line");
    paragraph(ui, words);
    ui.probe.mark_item("exercise.find", e.task() != Task::find ? 1 : 0, words);
}

void repairs(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    const Palette& p = ui.theme.palette;
    heading(ui, ui.text("exercise.repair"));
    const bool open = e.task() == Task::repair;
    for (int i = 0; i < static_cast<int>(e.listing.repairs.size()); ++i) {
        const bool right = i == e.listing.right, mine = i == e.progress.repair;
        if (!open && !right) continue;
        Offer o{"exercise.repair." + std::to_string(i),
                letter_of(i),
                trimmed_code(e.listing.repairs[static_cast<std::size_t>(i)]),
                true,
                open,
                nullptr,
                {}};
        if (mine) o.sign = right ? "✓" : "✗", o.color = right ? p.value : p.danger;
        if (offer(ui, o)) e.choose(i);
    }
    if (e.progress.repair < 0 || e.progress.repair >= static_cast<int>(e.listing.repairs.size())) return;
    const std::string words = e.words("repair." + std::to_string(e.progress.repair));
    paragraph(ui, words);
    ui.probe.mark_item("exercise.told", e.progress.repair, words);
}

void go_to_chapter(const ExerciseFrame& e) {
    Commands& commands = e.frame.commands();
    if (e.row.text) {
        commands.add(command::Look{{{"text.chapter", name_of(e.row.text->chapter)}, {"text.lab", "no"}}});
        commands.add(command::EnterRoom{"text"});
    } else {
        commands.add(command::GoToChapter{e.row.step});
    }
    commands.add("panel.top");
}

/// Draws links to the next exercise and the chapter, and the button that resets the exercise.
void related_links(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    const Frame& frame = e.frame;
    ImGui::Dummy({1, ui.theme.px(6)});
    if (e.task() == Task::done && e.row.exercise != std::end(exercise_names)[-1].value &&
        button(
            ui,
            {"exercise.go_on", ui.text("exercise.go_on"), ui.text("exercise.go_on_tip"), frame.key_of("exercise.next")},
            {Emphasis::primary, Icon::right, -1}))
        frame.commands().add("exercise.next");
    if (button(ui, {"exercise.chapter", ui.text("exercise.chapter"), ui.text("exercise.chapter_tip"), {}},
               {Emphasis::plain, {}, -1})) {
        go_to_chapter(e);
    }
    if (e.progress == ExerciseProgress{}) return;
    if (button(ui,
               {"exercise.again", ui.text("exercise.again"), ui.text("exercise.again_tip"),
                frame.key_of("exercise.again")},
               {Emphasis::plain, Icon::undo, -1}))
        frame.commands().add("exercise.again");
}

}  // namespace

void with_exercise(const Frame& frame, const std::function<void(const ExerciseFrame& e)>& draw) {
    const Exercise exercise = frame.selection.focus.exercise;
    const Listing listing = listing_of(exercise, frame.shown().result->model->config);
    draw({frame, row_of(exercise), listing, progress_in(frame.panel.settings, exercise)});
}

void exercise_choices(const Frame& frame) {
    with_exercise(frame, [](const ExerciseFrame& e) {
        predictions(e);
        if (e.task() != Task::predict) line_task(e);
        if (e.task() == Task::repair || e.task() == Task::done) repairs(e);
        related_links(e);
    });
}

void exercise_list(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Config& config = frame.shown().result->model->config;
    ImGui::PushFont(ui.theme.font(Font::heading));
    ImGui::TextUnformatted(ui.text("exercise.all").c_str());
    ImGui::PopFont();
    Exercise& chosen = frame.selection.focus.exercise;
    std::optional<bool> of_text;
    Kept<int> shown("shown", -1);  // index in the list
    for (const Named<Exercise>& entry : exercise_names) {
        if (const bool is = row_of(entry.value).text.has_value(); is != of_text) {
            of_text = is;
            heading(ui, ui.text(is ? "exercise.of_text" : "exercise.of_pictures"));
        }
        const ExerciseProgress& progress = progress_in(frame.panel.settings, entry.value);
        const bool done = progress.repair >= 0 && task_of(progress, listing_of(entry.value, config)) == Task::done;
        const std::string name(entry.name), title = ui.text("exercise." + name + ".title");
        if (button(ui, {"exercise.choose." + name, (done ? "✓ " : "") + title, {}, {}},
                   {entry.value == chosen ? Emphasis::primary : Emphasis::plain, {}, -1, true}))
            chosen = entry.value;
        if (entry.value != chosen || shown == place_of(chosen)) continue;
        if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY();
        shown = place_of(chosen);
    }
}

}  // namespace vitrine
