#include "app/lecture/prediction_strip.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/lecture/reading_place.h"
#include "app/rooms/panels/foreign.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

InView view_of(const Frame& frame) { return {frame.ui, frame.workspace, frame.selection}; }

std::vector<std::string> changes_of(const Frame& frame) { return changes_in_view(view_of(frame), frame.state()); }

/// "Prediction: cat 99.9 % → 97.6 %"; without "Prediction" unless `named`.
std::string predicted_words(const Ui& ui, const Predicted& told, bool named) {
    const std::string words = told.changed ? told.before + "  →  " + told.now : told.now;
    return named ? ui.text("lecture.prediction", {{"answer", words}}) : words;
}

std::string changed_words(const Ui& ui, const std::vector<std::string>& changes, std::size_t most) {
    return ui.text("lecture.changed", {{"parts", listed_changes(ui.text, changes, most)}});
}

/// Forms of the list of changes, longest first: with all names, with fewer, one name without words around it, their
/// count.
std::vector<std::string> changed_forms(const Ui& ui, const std::vector<std::string>& changes) {
    std::vector<std::string> forms;
    for (std::size_t most = changes.size(); most > 0; --most) forms.push_back(changed_words(ui, changes, most));
    forms.push_back(listed_changes(ui.text, changes, 1));
    forms.push_back(ui.text("lecture.changed", {{"parts", std::to_string(changes.size())}}));
    return forms;
}

/// A box with words; if it `opens`, a click shows all numbers of the prediction.
struct StripBox {
    std::string id, words;
    Color color;
    double value = 0;
    bool opens = true;
};
void strip_box(const Frame& frame, Rect box, const StripBox& told) {
    const Ui& ui = frame.ui;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float pad = ui.theme.px(10), round = ui.theme.px(7);
    const Hit hit = told.opens ? hot_area(ui, told.id + ".open", box, told.words) : Hit();
    if (told.opens) tooltip(ui, ui.text("lecture.tell_tip"), {});
    canvas.fill(box, told.color.with_alpha(hit.at ? 0.26F : 0.14F), round);
    canvas.stroke(box, told.color, ui.theme.px(1), round);
    const std::string words = fitted(canvas, told.words, Font::strong, box.width() - 2 * pad);
    canvas.text({box.x0 + pad, box.centre().y - canvas.measure(words, Font::strong).y / 2}, words,
                {Font::strong, ui.theme.palette.text, Align::left});
    ui.probe.mark(told.id, box, told.value, told.words);
    if (hit.clicked) frame.commands().add("lecture.tell");
}

float box_width(const Frame& frame, const std::string& words) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
    return std::ceil(canvas.measure(words, Font::strong).x) + 1 + 2 * frame.ui.theme.px(10);
}

float strip_gap(const Ui& ui) { return ui.theme.px(10); }

/// The answer without its name; empty if there is none, or if it is a text, which can be long.
std::string short_answer(const Frame& frame) {
    const std::optional<Predicted> told = predicted_in_view(view_of(frame), frame.state());
    return told && told->probability > 0 ? predicted_words(frame.ui, *told, false) : std::string();
}

/// The longest form of the answer that fits; empty if none fits, or if the stage shows the answer.
std::string fitting_answer(const Frame& frame, float width) {
    const std::optional<Predicted> told = predicted_in_view(view_of(frame), frame.state());
    if (!told || told->on_stage) return {};
    for (const bool named : {true, false})
        if (std::string words = predicted_words(frame.ui, *told, named); box_width(frame, words) <= width) return words;
    return {};
}

/// The result of a guess on the picture, for an audience; a reader alone has it in the panel beside the picture.
std::optional<GuessTold> guess_told(const Frame& frame) {
    const State& state = frame.state();
    const auto guess = answers_of(state.room).teaching.guess;
    const LessonStop* const stop = visible_stop(state, frame.selection.focus);
    const bool asks = stop == nullptr || (stop->question.empty() && place_asks_of(*stop));
    if (guess == nullptr || !asks || reads_beside(state) || state.lecture.alone != Alone::nothing) return std::nullopt;
    return guess(frame);
}

/// The warning that the run's answer means nothing; empty otherwise, for texts, and in rooms that show no run.
std::string warning_here(const Frame& frame) {
    const Result* const now = frame.shown().result.get();
    const auto predicted = answers_of(frame.state().room).teaching.predicted;
    const bool of_run = predicted == predicted_by_run;
    return of_run && now != nullptr && answer_means_nothing(*now) ? frame.ui.text("foreign.title") : std::string();
}

}  // namespace

float width_of_strip(const Frame& frame) {
    const std::vector<std::string> changes = changes_of(frame);
    const std::optional<GuessTold> guess = guess_told(frame);
    if (changes.empty() && !guess) return 0;
    const std::string answer = short_answer(frame);
    const float others = frame.ui.theme.px(130);
    const auto with_gap = [&](const std::string& words) {
        return words.empty() ? 0 : box_width(frame, words) + strip_gap(frame.ui);
    };
    return with_gap(answer) + (guess ? with_gap(guess->words) : 0) +
           (changes.empty() ? 0 : box_width(frame, changed_words(frame.ui, changes, changes.size()))) + others;
}

void prediction_strip(const Frame& frame, Rect rect) {
    const Ui& ui = frame.ui;
    const std::vector<std::string> changes = changes_of(frame);
    float left = rect.x0;
    const std::string warning = warning_here(frame);
    const std::optional<GuessTold> guess = guess_told(frame);
    const float guessed = guess ? box_width(frame, guess->words) + strip_gap(ui) : 0;
    const float kept = guessed + (warning.empty() ? 0 : box_width(frame, warning) + strip_gap(ui));
    const bool asks = frame.state().lecture.alone == Alone::question;  // the class guesses first
    // The answer has priority over the names of the changes.
    const std::vector<std::string> forms = changes.empty() ? std::vector<std::string>() : changed_forms(ui, changes);
    std::string words = asks || !changes.empty() ? "" : fitting_answer(frame, rect.width() - kept);
    for (std::size_t i = changes.empty() ? 0 : changes.size() - 1; i < forms.size() && words.empty() && !asks; ++i)
        words = fitting_answer(frame, rect.width() - kept - box_width(frame, forms[i]) - strip_gap(ui));
    // If not even their count fits beside it, the answer before and after is shown alone.
    if (words.empty() && !changes.empty() && !asks) words = short_answer(frame);
    if (!words.empty()) {
        const float width = std::min(rect.x1 - left - kept, box_width(frame, words));
        const double first = predicted_in_view(view_of(frame), frame.state())->probability;
        strip_box(frame, {left, rect.y0, left + width, rect.y1},
                  {"lecture.prediction", words, ui.theme.palette.accent, first});
        left += width + strip_gap(ui);
    }
    if (!warning.empty() && left < rect.x1) {
        const float width = std::min(rect.x1 - left, box_width(frame, warning));
        strip_box(frame, {left, rect.y0, left + width, rect.y1}, {"lecture.foreign", warning, ui.theme.palette.danger});
        left += width + strip_gap(ui);
    }
    if (guess && left < rect.x1) {
        const float width = std::min(rect.x1 - left, box_width(frame, guess->words));
        const Color color = guess->right ? ui.theme.palette.value : ui.theme.palette.danger;
        strip_box(frame, {left, rect.y0, left + width, rect.y1},
                  {"guess.told", guess->words, color, guess->right ? 1.0 : 0.0, false});
        left += width + strip_gap(ui);
    }
    if (changes.empty() || left + box_width(frame, forms.back()) / 2 >= rect.x1) return;
    const auto fits = [&](const std::string& form) { return left + box_width(frame, form) <= rect.x1; };
    const auto fitting = std::ranges::find_if(forms, fits);
    const std::string& told = fitting == forms.end() ? forms.back() : *fitting;
    const float width = std::min(rect.x1 - left, box_width(frame, told));
    strip_box(frame, {left, rect.y0, left + width, rect.y1},
              {"lecture.changed", told, ui.theme.palette.danger, static_cast<double>(changes.size())});
}

void prediction_card(const Frame& frame) {
    const Lecture& lecture = frame.state().lecture;
    const auto tell = answers_of(frame.state().room).teaching.draw_whole_answer;
    if (!lecture.told || tell == nullptr || lecture.alone != Alone::nothing) return;
    if (!predicted_in_view(view_of(frame), frame.state())) return;
    const Ui& ui = frame.ui;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = ui.theme.px(14), low = screen.y - ui.theme.px(50),
                width = std::min(ui.theme.px(560), screen.x * 0.5F);
    Kept<float> needed("prediction");  // of the last frame
    const float height = std::min(low - gap, needed > 0 ? needed : ui.theme.px(300));
    begin_card(ui, "lecture.told", {gap, low - height, gap + width, low}, ui.theme.palette.raised);
    tell(frame);
    needed = ImGui::GetCursorPosY() + ui.theme.px(14);
    end_card();
}

void prediction_here(const Frame& frame) {
    const std::optional<Predicted> told = predicted_in_view(view_of(frame), frame.state());
    if (!told) return;
    const Ui& ui = frame.ui;
    const std::string words = predicted_words(ui, *told, true);
    paragraph(ui, "{strong|" + words + "}");
    ui.probe.mark_item("reading.prediction", told->probability, words);
    if (const std::string warning = warning_here(frame); !warning.empty()) {
        paragraph(ui, {warning, Font::strong, ui.theme.palette.danger, Align::left});
        ui.probe.mark_item("reading.foreign", 0, warning);
    }
    const bool asked = frame.state().lecture.told, open = asked || told->changed;
    if (!Kept<bool>("told").exchange(asked) && asked) ImGui::SetScrollHereY(0);
    if (!told->changed && button(ui,
                                 {"reading.tell",
                                  ui.text(open ? "lecture.tell_less" : "lecture.tell_more"),
                                  ui.text("lecture.tell_tip"),
                                  {}},
                                 {Emphasis::quiet, {}, 0}))
        frame.commands().add("lecture.tell");
    if (open) answers_of(frame.state().room).teaching.draw_whole_answer(frame);
}

}  // namespace vitrine
