#include <imgui.h>

#include <algorithm>

#include "app/rooms/exercise/exercise_views.h"
#include "app/rooms/panels/code_listing.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"

namespace vitrine {

namespace {

/// A line of the listing, wrapped into rows.
struct CodeLine {
    std::vector<std::string> rows;
    Rect rect;
};

void paint_code(Canvas& canvas, const Theme& theme, const CodeLine& line, Point letter) {
    float y = line.rect.y0;
    for (const std::string& row : line.rows) {
        const std::size_t comment = std::min(row.find('#'), row.size());
        const std::string code = row.substr(0, comment);
        const float x = line.rect.x0 + theme.px(26);
        canvas.text({x, y}, code, {Font::mono, theme.palette.text, Align::left});
        canvas.text({x + canvas.measure(code, Font::mono).x, y}, row.substr(comment),
                    {Font::mono, theme.palette.muted, Align::left});
        y += letter.y;
    }
}

/// Draws a sign before the line and a background in its colour.
void mark_line(Canvas& canvas, const Theme& theme, Rect rect, Color color, const char* sign) {
    canvas.fill(rect, color.with_alpha(0.08F), theme.px(3));
    canvas.text({rect.x0 + theme.px(8), rect.y0}, sign, {Font::mono, color, Align::left});
}

}  // namespace

std::string ExerciseFrame::words(const std::string& key) const {
    return frame.ui.text("exercise." + std::string(name_of(row.exercise)) + "." + key);
}

void ExerciseFrame::choose(int choice) const {
    ExerciseProgress after = progress;
    vitrine::choose(after, listing, choice);
    frame.panel.settings.exercises[name_of(row.exercise)] = after;
}

void exercise_code(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, pad = theme.px(8);
    const Point letter = canvas.measure("0", Font::mono);
    const int columns = code_columns(width - theme.px(26) - pad, letter.x);
    const Task task = e.task();
    const bool done = task == Task::done;
    const std::vector<std::string> code = e.listing.repaired(done ? std::optional(e.progress.repair) : std::nullopt);

    std::vector<CodeLine> lines;
    float y = at.y + pad;
    for (const std::string& words : code) {
        CodeLine line{words.empty() ? std::vector<std::string>{""} : wrapped_code(words, columns), {}};
        line.rect = {at.x, y, at.x + width, y + letter.y * static_cast<float>(line.rows.size())};
        y = line.rect.y1;
        lines.push_back(std::move(line));
    }
    const Rect all{at.x, at.y, at.x + width, y + pad};
    canvas.fill(all, theme.palette.raised, theme.px(6));
    ui.probe.mark("exercise.code", all, static_cast<double>(lines.size()),
                  code[static_cast<std::size_t>(e.listing.wrong)]);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const int number = static_cast<int>(i);
        const bool wrong = number == e.listing.wrong;
        if (wrong && (task == Task::repair || done))
            mark_line(canvas, theme, lines[i].rect, done ? theme.palette.value : theme.palette.danger,
                      done ? "✓" : "!");
        else if (number == e.progress.line && task == Task::find)
            mark_line(canvas, theme, lines[i].rect, theme.palette.muted, "–");
        if (task == Task::find && !code[i].empty()) {
            const Hit hit = hot_area(ui, "exercise.line." + std::to_string(number), lines[i].rect, code[i]);
            if (hit.at) canvas.stroke(lines[i].rect, theme.palette.accent, theme.px(2), theme.px(3));
            if (hit.clicked) e.choose(number);
        }
        paint_code(canvas, theme, lines[i], letter);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, all.height()});
}

}  // namespace vitrine
