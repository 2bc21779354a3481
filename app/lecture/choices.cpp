#include "app/lecture/choices.h"

#include <imgui.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "app/lecture/lecture.h"
#include "app/lecture/lesson.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

const LessonStop& shown_stop(const Lecture& lecture) {
    return lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
}

/// Hands counted for each choice of the stop.
std::vector<int> hands_of(const Lecture& lecture) {
    const auto found = lecture.hands.find(lecture.stop);
    std::vector<int> hands = found == lecture.hands.end() ? std::vector<int>() : found->second;
    hands.resize(most_choices);
    return hands;
}

/// A choice and its hands.
struct ChoiceRow {
    int number;
    const LessonChoice& choice;
    int hands, all;
};

/// Buttons that count hands, with the number of hands; beside the choices, in the font of the choices.
void count_buttons(const Ui& ui, const Lecture& lecture, const ChoiceRow& row, Font font, Commands& commands) {
    const std::string id = "choice." + std::to_string(row.number), number = std::to_string(row.hands);
    const auto count = [&](const char* part, const char* tip, const char* sign, const char* by, bool enabled) {
        if (button(ui, {id + part, sign, ui.text(tip), {}, enabled}, {Emphasis::plain, {}, ui.theme.px(40)}))
            commands.add(command::ChangeLesson{"count_hands", lecture.stop, std::to_string(row.number) + " " + by});
    };
    count(".fewer", "choices.fewer", "−", "-1", row.hands > 0);
    ImGui::SameLine();
    count(".more", "choices.more", "+", "1", true);
    ImGui::SameLine();
    ImGui::PushFont(ui.theme.font(font));
    const float low = std::max(0.0F, (ImGui::GetItemRectSize().y - ImGui::GetTextLineHeight()) / 2);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + low);  // the middle of the buttons
    ImGui::TextUnformatted((ui.text("choices.hands") + ": " + number).c_str());
    ImGui::PopFont();
    ui.probe.mark_item(id + ".hands", row.hands, number);
}

/// The share of the hands as a bar.
void split_bar(const Ui& ui, const ChoiceRow& row) {
    const Palette& palette = ui.theme.palette;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.theme.px(10);
    const float part = static_cast<float>(row.hands) / static_cast<float>(row.all);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    canvas.fill({at.x, at.y, at.x + width, at.y + height}, palette.line, height / 2);
    canvas.fill({at.x, at.y, at.x + width * part, at.y + height}, row.choice.right ? palette.value : palette.muted,
                height / 2);
    ImGui::Dummy({width, height});
    ui.probe.mark_item("choice." + std::to_string(row.number) + ".split", static_cast<double>(part));
}

/// The row's words.
std::string words_of_row(const Ui& ui, const ChoiceRow& row, const ChoicesLook& look) {
    const bool marked = look.answered && row.choice.right;
    std::string words = std::string(1, static_cast<char>('A' + row.number)) + "   " + row.choice.words;
    if (marked) words = "✓ " + words;
    if (look.answered && row.all > 0)
        words +=
            "   " + ui.text("choices.split", {{"count", std::to_string(row.hands)}, {"all", std::to_string(row.all)}});
    return words;
}

/// The width kept free for the hands at the right of the words.
float kept_for_hands(const Ui& ui, const ChoicesLook& look) {
    if (!look.counts || !look.beside) return 0;
    const float number = measure_text(ui.theme, ui.text("choices.hands") + ": 999", look.font).x;
    return std::max(ui.theme.px(220), std::ceil(number) + ui.theme.px(120));
}

/// Draws the row's words, with `kept` free at their right; returns the y at which they end.
float choice_words(const Ui& ui, const ChoiceRow& row, const ChoicesLook& look, float kept) {
    const Palette& palette = ui.theme.palette;
    const bool marked = look.answered && row.choice.right;
    const std::string words = words_of_row(ui, row, look);
    const RichText told{words, look.font, marked ? palette.value : palette.text, Align::left};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - kept, height = measure_rich(canvas, told, width).y;
    const Rect rect{at.x, at.y, at.x + width, at.y + height};
    rich_text(canvas, ui, rect, told);
    ImGui::Dummy({width, height});
    ui.probe.mark("choice." + std::to_string(row.number), rect, marked ? 1 : 0, words);
    return ImGui::GetCursorScreenPos().y;
}

void choice_row(const Ui& ui, const Lecture& lecture, const ChoiceRow& row, const ChoicesLook& look,
                Commands& commands) {
    const float kept = kept_for_hands(ui, look);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float end = choice_words(ui, row, look, kept);
    if (kept > 0) ImGui::SetCursorScreenPos({at.x + ImGui::GetContentRegionAvail().x - kept, at.y});
    if (look.counts) count_buttons(ui, lecture, row, look.beside ? look.font : Font::body, commands);
    const ImVec2 next = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x, std::max(end, next.y)});
    if (look.answered && row.all > 0) split_bar(ui, row);
}

}  // namespace

namespace {

std::vector<ChoiceRow> rows_here(const Lecture& lecture, const std::string& language) {
    std::vector<ChoiceRow> rows;
    if (!lecture.lesson) return rows;
    const std::vector<LessonChoice>& choices = own_choices(shown_stop(lecture), language);
    const std::vector<int> hands = hands_of(lecture);
    const int all = std::accumulate(hands.begin(), hands.end(), 0);
    for (std::size_t i = 0; i < choices.size(); ++i) rows.push_back({static_cast<int>(i), choices[i], hands[i], all});
    return rows;
}

}  // namespace

void choice_rows(const Ui& ui, const Lecture& lecture, const ChoicesLook& look, Commands& commands) {
    for (const ChoiceRow& row : rows_here(lecture, look.language)) choice_row(ui, lecture, row, look, commands);
}

float height_of_choices(const Ui& ui, const Lecture& lecture, const ChoicesLook& look) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float width = ImGui::GetContentRegionAvail().x - kept_for_hands(ui, look),
                spacing = ImGui::GetStyle().ItemSpacing.y;
    float height = 0;
    ChoicesLook answered = look;
    answered.answered = true;
    for (const ChoiceRow& row : rows_here(lecture, look.language)) {
        const float words = measure_rich(canvas, {words_of_row(ui, row, answered), look.font, {}}, width).y;
        height += std::max(words, ui.theme.px(40)) + spacing + ui.theme.px(10) + spacing;  // with its bar
    }
    return height;
}

bool has_choices_here(const Frame& frame) {
    const LessonStop* const stop = visible_stop(frame.state(), frame.selection.focus);
    return stop != nullptr && !own_choices(*stop, frame.state().settings.language).empty();
}

void choices_here(const Frame& frame) {
    if (!has_choices_here(frame)) return;
    const State& state = frame.state();
    const Font font = frame.ui.theme.scale >= 1 ? Font::heading : Font::body;
    choice_rows(frame.ui, state.lecture,
                {.font = font, .answered = state.lecture.peek, .language = state.settings.language}, frame.commands());
}

}  // namespace vitrine
