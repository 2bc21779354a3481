#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/chapters/model_words.h"
#include "app/dialogs/plain_dialogs.h"
#include "app/lecture/lesson.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"

namespace vitrine {

namespace {

struct Line {
    std::string words;  // key of the text
    std::vector<std::string> keys;
    bool lectures = false;  // its shortcuts work only in a lecture
};

/// The commands with shortcuts, grouped by text, each key once, in a lecture those for lectures first; then the keys
/// for moving among controls.
std::vector<Line> lines(const CommandTable& table, bool lecture) {
    std::vector<Line> all;
    for (const CommandRow& row : table.rows()) {
        if (row.keys.empty()) continue;
        auto line = std::find_if(all.begin(), all.end(), [&](const Line& l) { return l.words == row.help; });
        if (line == all.end()) line = all.insert(all.end(), Line{row.help, {}});
        line->lectures |= row.where.skin == KeyContext::Skin::lecture;
        for (const Chord& chord : row.keys)
            if (const std::string key = chord_words(chord); std::ranges::find(line->keys, key) == line->keys.end())
                line->keys.push_back(key);
    }
    if (lecture) std::stable_partition(all.begin(), all.end(), [](const Line& l) { return l.lectures; });
    all.push_back({"help.focus", {"Tab", "Shift Tab"}});
    all.push_back({"help.zone", {"F6"}});
    return all;
}

/// Keys as text: "← →", "0 … 9".
std::string keys_in_words(const std::vector<std::string>& keys) {
    constexpr std::size_t most = 6;
    if (keys.size() > most) return keys.front() + " … " + keys.back();
    std::string words;
    for (const std::string& key : keys) words += (words.empty() ? "" : "  ") + key;
    return words;
}

/// Width of the widest keys.
float width_of_keys(const Canvas& canvas, std::span<const Line> lines) {
    float width = 0;
    for (const Line& line : lines) width = std::max(width, canvas.measure(keys_in_words(line.keys), Font::strong).x);
    return std::ceil(width);
}

/// Draws keys on the left, right-aligned, with wrapped descriptions; returns the height.
float column_of(const Ui& ui, Rect room, std::span<const Line> lines) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float least = theme.px(31), keys_end = room.x0 + width_of_keys(canvas, lines), left = keys_end + theme.px(16);
    float y = room.y0;
    for (const Line& line : lines) {
        const std::string keys = keys_in_words(line.keys);
        canvas.text({keys_end, y}, keys, {Font::strong, theme.palette.accent, Align::right});
        const RichText words{ui.text(line.words), Font::body, theme.palette.text};
        const float height = std::max(least, measure_rich(canvas, words, room.x1 - left).y + theme.px(6));
        rich_text(canvas, ui, {left, y, room.x1, y + height}, words);
        ui.probe.mark(line.words, {room.x0, y, room.x1, y + height}, 0, keys);
        y += height;
    }
    return y - room.y0;
}

/// The title and sentence of the screen in view, and its chapter's question.
void this_screen(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    const RoomAnswers& room = answers_of(context.state.room);
    LessonStop stop;
    if (room.places.here != nullptr)
        stop.id = room.places.here(frame.selection.focus);
    else if (room.places.describe != nullptr)
        room.places.describe(context, stop);
    if (room.teaching.words == nullptr || (stop.id.empty() && room.places.describe == nullptr)) return;
    const PlaceWords words = words_in_view(room, stop.id, {frame.selection.focus, context.workspace().text_experiment});
    const auto told = [&](const std::string& key) {
        const Result* const now = context.result();
        return ui.text(now != nullptr ? key_for(ui.text, key, *now) : key);
    };
    paragraph(ui, "{strong|" + told(words.title) + "}  " + without_markup(told(words.sentence)));
    ui.probe.mark_item("help.screen", 0, told(words.title));
    if (words.question.empty() || !ui.text.has(words.question)) return;
    paragraph(ui, {without_markup(told(words.question)), Font::body, ui.theme.palette.accent, Align::left});
    ui.probe.mark_item("help.question", 0, told(words.question));
}

/// Buttons that lead to help: first minute, tour, lessons, search, glossary, papers.
void ways_to_help(const Frame& frame) {
    const Ui& ui = frame.ui;
    struct Way {
        const char *id, *words;
        Icon icon;
        Command command;
        const char* key;  // a command of the table; null: none
    };
    const Way ways[] = {
        {"help.way.first_minute", "start.first_minute", Icon::pointer, command::Do{"first_minute"}, nullptr},
        {"help.way.tour", "start.tour", Icon::play, command::OpenLesson{"tour"}, nullptr},
        {"help.way.lessons", "command.lessons", Icon::lecture, command::ShowDialog{"lessons"}, "lessons"},
        {"help.way.find", "find.title", Icon::search, command::ShowDialog{"find"}, "find"},
        {"help.way.glossary", "glossary.title", Icon::words, command::ShowDialog{"glossary"}, "glossary"},
        {"help.way.references", "references.title", Icon::copy, command::ShowDialog{"references"}, "references"}};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    float widest = 0;
    for (const Way& way : ways) widest = std::max(widest, canvas.measure(ui.text(way.words), Font::body).x);
    const std::size_t count = std::size(ways);
    const float gap = ui.theme.px(8), room = ImGui::GetContentRegionAvail().x, needed = widest + ui.theme.px(60);
    const bool one_line = needed * static_cast<float>(count) + gap * static_cast<float>(count - 1) <= room;
    const std::size_t in_line = one_line ? count : count / 2;
    const float width = (room - gap * static_cast<float>(in_line - 1)) / static_cast<float>(in_line);
    for (std::size_t i = 0; i < count; ++i) {
        const Way& way = ways[i];
        if (i % in_line != 0) ImGui::SameLine(0, gap);
        if (button(ui, {way.id, ui.text(way.words), {}, way.key != nullptr ? frame.key_of(way.key) : ""},
                   {Emphasis::plain, way.icon, width})) {
            frame.commands().add(command::ShowDialog{});
            frame.commands().add(way.command);
        }
    }
}

}  // namespace

void help_dialog(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    begin_dialog(ui, {"dialog.help", ui.text("help.title"), 1520, 1000}, frame.commands());
    this_screen(frame, context);
    ImGui::Dummy({1, theme.px(4)});
    ways_to_help(frame);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<Line> all = lines(frame.panel.table, frame.state().lecture.on);
    const std::size_t down = (all.size() + 1) / 2;
    const std::span<const Line> first(all.data(), down), second(all.data() + down, all.size() - down);
    const float width = ImGui::GetContentRegionAvail().x, gap = theme.px(36), y = at.y + theme.px(12);
    const float middle = at.x + (width - gap) / 2;
    const float height =
        std::max(column_of(ui, {at.x, y, middle, y}, first), column_of(ui, {middle + gap, y, at.x + width, y}, second));
    ImGui::Dummy({1, height + theme.px(24)});
    paragraph(ui, ui.text("help.mouse"));
    end_dialog();
}

}  // namespace vitrine
