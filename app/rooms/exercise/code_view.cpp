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
#include "app/workspace/settings.h"

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

/// The lines of a listing that are shown: all; the two on each side of the repaired one, and the function's first; or
/// one on each side.
enum class Fold { none, around, tight };

/// For each line, 1 if a folded listing shows it, else 0.
std::vector<char> lines_kept(const std::vector<std::string>& code, int wrong, Fold fold) {
    std::vector<char> kept(code.size(), 0);
    const int count = static_cast<int>(code.size()), lines_around = fold == Fold::tight ? 1 : 2;
    for (int i = std::max(0, wrong - lines_around); i <= std::min(count - 1, wrong + lines_around); ++i)
        kept[static_cast<std::size_t>(i)] = code[static_cast<std::size_t>(i)].empty() ? 0 : 1;
    for (int i = wrong; i >= 0 && fold == Fold::around; --i)
        if (code[static_cast<std::size_t>(i)].find("def ") != std::string::npos) {
            kept[static_cast<std::size_t>(i)] = 1;
            break;
        }
    return kept;
}

/// The height of a result's parts other than its figure: titles, numbers, scale and captions.
float height_beside_figure(const ExerciseFrame& e) {
    const bool matrix = e.row.drawn == Drawn::scores || e.row.drawn == Drawn::attention || e.row.drawn == Drawn::values;
    return e.frame.ui.theme.px(matrix && !e.row.text ? 130 : 270);
}

/// Whether code of height `whole` would leave too little of the height `room` for the result's figure below it.
bool is_folded(const ExerciseFrame& e, float whole, float room) {
    constexpr float figure_by_code = 1.3F;
    return e.task() == Task::done && e.row.drawn != Drawn::printed && e.row.drawn != Drawn::words &&
           room - whole - height_beside_figure(e) < figure_by_code * whole;
}

/// A listing laid out from `at` down; a folded one has some of the lines and, for each gap, the number of hidden lines.
struct LaidOut {
    std::vector<CodeLine> lines;
    std::vector<int> numbers;  // of the lines; −1: a row for hidden lines
    Rect all;
};
LaidOut lay_out(const ExerciseFrame& e, const std::vector<std::string>& code, Point at, float width, Fold fold) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point letter = canvas.measure("0", Font::mono);
    const float pad = theme.px(8);
    const int columns = code_columns(width - theme.px(26) - pad, letter.x);
    const std::vector<char> kept =
        fold == Fold::none ? std::vector<char>(code.size(), 1) : lines_kept(code, e.listing.wrong, fold);
    LaidOut l;
    float y = at.y + pad;
    const auto add = [&](int number, std::vector<std::string> rows) {
        CodeLine line{std::move(rows), {}};
        line.rect = {at.x, y, at.x + width, y + letter.y * static_cast<float>(line.rows.size())};
        y = line.rect.y1;
        l.lines.push_back(std::move(line));
        l.numbers.push_back(number);
    };
    for (std::size_t i = 0; i < code.size();) {
        if (kept[i] != 0) {
            add(static_cast<int>(i), code[i].empty() ? std::vector<std::string>{""} : wrapped_code(code[i], columns));
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < code.size() && kept[end] == 0) ++end;
        const auto written = std::count_if(code.begin() + static_cast<std::ptrdiff_t>(i),
                                           code.begin() + static_cast<std::ptrdiff_t>(end),
                                           [](const std::string& line) { return !line.empty(); });
        if (written == 1 && fold == Fold::around)  // a single line takes no more room than a row in its place
            for (std::size_t k = i; k < end; ++k)
                if (!code[k].empty()) add(static_cast<int>(k), wrapped_code(code[k], columns));
        if (written > 1 && fold == Fold::around)
            add(-1, {"# " + ui.text("exercise.folded", {{"count", std::to_string(written)}})});
        i = end;
    }
    l.all = {at.x, at.y, at.x + width, y + pad};
    return l;
}

void paint_listing(const ExerciseFrame& e, const LaidOut& l) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Task task = e.task();
    canvas.fill(l.all, theme.palette.raised, theme.px(6));
    for (std::size_t i = 0; i < l.lines.size(); ++i) {
        const int number = l.numbers[i];
        const bool wrong = number == e.listing.wrong;
        if (wrong && (task == Task::repair || task == Task::done))
            mark_line(canvas, theme, l.lines[i].rect, task == Task::done ? theme.palette.value : theme.palette.danger,
                      task == Task::done ? "✓" : "!");
        else if (number >= 0 && number == e.progress.line && task == Task::find)
            mark_line(canvas, theme, l.lines[i].rect, theme.palette.muted, "–");
        paint_code(canvas, theme, l.lines[i], canvas.measure("0", Font::mono));
    }
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

Rect exercise_code(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const bool done = e.task() == Task::done;
    const std::vector<std::string> code = e.listing.repaired(done ? std::optional(e.progress.repair) : std::nullopt);
    LaidOut l = lay_out(e, code, {at.x, at.y}, room.x, Fold::none);
    const bool folded = is_folded(e, l.all.height(), room.y);
    constexpr float most = 0.32F;  // largest share of the room for the lines around the repaired one
    if (folded) l = lay_out(e, code, {at.x, at.y}, room.x, Fold::around);
    if (folded && l.all.height() > most * room.y) l = lay_out(e, code, {at.x, at.y}, room.x, Fold::tight);
    paint_listing(e, l);
    ui.probe.mark("exercise.code", l.all, static_cast<double>(l.lines.size()),
                  code[static_cast<std::size_t>(e.listing.wrong)]);
    if (e.task() == Task::find)
        for (std::size_t i = 0; i < l.lines.size(); ++i) {
            const auto number = static_cast<std::size_t>(l.numbers[i]);
            if (code[number].empty()) continue;
            WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
            const Hit hit = hot_area(ui, "exercise.line." + std::to_string(number), l.lines[i].rect, code[number]);
            if (hit.at) canvas.stroke(l.lines[i].rect, theme.palette.accent, theme.px(2), theme.px(3));
            if (hit.clicked) e.choose(l.numbers[i]);
        }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.x, l.all.height()});
    return folded ? l.all : Rect{};
}

void exercise_whole_code(const ExerciseFrame& e, Rect folded) {
    if (folded.height() <= 0) return;
    const Ui& ui = e.frame.ui;
    if (!hot_area(ui, "exercise.folded", folded, ui.text("exercise.whole_code")).at) return;
    const LaidOut l = lay_out(e, e.listing.repaired(std::optional(e.progress.repair)), {folded.x0, folded.y0},
                              folded.width(), Fold::none);
    paint_listing(e, l);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    canvas.stroke(l.all, ui.theme.palette.line, ui.theme.px(1), ui.theme.px(6));
    ui.probe.mark("exercise.whole_code", l.all, static_cast<double>(l.lines.size()));
}

}  // namespace vitrine
