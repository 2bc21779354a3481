#include "app/lecture/lecture_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/chapters/step.h"
#include "app/lecture/choices.h"
#include "app/lecture/notes.h"
#include "app/lecture/prediction_strip.h"
#include "app/lecture/reading_panel.h"
#include "app/lecture/reading_place.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/panels/own_photo.h"
#include "app/rooms/panels/stop_controls.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/tips.h"
#include "app/workspace/command.h"
#include "app/workspace/motion.h"
#include "app/workspace/photo_model.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

const RoomAnswers& room_in(const Frame& frame) { return answers_of(frame.state().room); }

Point screen_size() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {size.x, size.y};
}

// ---- lower edge -----------------------------------------------------------------------------------------------------

/// Progress through the lecture: a thin line along the lower edge.
void progress_line(const Ui& ui, float part) {
    const Theme& theme = ui.theme;
    const Point screen = screen_size();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float y = screen.y - theme.px(4);
    canvas.fill({0, y, screen.x, screen.y}, theme.palette.line);
    canvas.fill({0, y, screen.x * part, screen.y}, theme.palette.accent);
}

/// "Lesson · 3 / 12"; only the count if there is little room.
std::string count_words(const Frame& frame, int at, int count, bool whole) {
    const Lecture& lecture = frame.state().lecture;
    const std::string number = std::to_string(at + 1) + " / " + std::to_string(count);
    if (!lecture.lesson || !whole) return number;
    return lecture.lesson->title_in(frame.state().settings.language) + "  ·  " + number;
}

/// An icon button with its upper left corner at `at`; returns its left end.
float edge_button(const Frame& frame, const Control& control, Icon icon, Point at, const char* command) {
    ImGui::SetCursorScreenPos({at.x, at.y});
    if (icon_button(frame.ui, control, icon)) frame.commands().add(command);
    return at.x;
}

/// A labelled button at the lower edge; with little room, only its key.
struct EdgeChoice {
    std::string id, words, tip, key;
    std::vector<Command> commands;
    Emphasis emphasis = Emphasis::plain;
    std::optional<Icon> icon = {};
};

/// Draws a button that ends at `right`, with only its key and icon if the changes need the room; returns its left end.
float edge_choice(const Frame& frame, const EdgeChoice& choice, Rect strip, float right) {
    const Ui& ui = frame.ui;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Font font = choice.emphasis == Emphasis::primary ? Font::strong : Font::body;
    const float beside = ui.theme.px(choice.icon ? 60 : 30), room = right - strip.x0 - width_of_strip(frame);
    const bool whole = canvas.measure(choice.words, font).x + beside <= room;
    const std::string& words = whole ? choice.words : choice.key;
    const float x = right - std::ceil(canvas.measure(words, font).x) - beside;
    ImGui::SetCursorScreenPos({x, strip.y0});
    if (button(ui, {choice.id, words, choice.tip, choice.key}, {choice.emphasis, choice.icon}))
        for (const Command& command : choice.commands) frame.commands().add(command);
    return x;
}

/// True at the end of a lesson on pictures if there is a model of photographs.
bool leads_to_own_photo(const Frame& frame, bool ends) {
    const State& state = frame.state();
    return ends && state.lecture.lesson && state.photo_model && room_in(frame).places.step != nullptr;
}

/// Button that leads to the user's own photograph, and ends the lecture. Returns its left end.
float photo_button(const Frame& frame, Rect strip, float right) {
    std::vector<Command> commands = {command::Do{"lecture"}};
    for (Command& command : own_photo(frame.state())) commands.push_back(std::move(command));
    const std::string name = short_name(*frame.state().photo_model);
    return edge_choice(frame,
                       {"lecture.photo",
                        frame.ui.text("first_minute.photo"),
                        frame.ui.text("lecture.photo_tip", {{"name", name}}),
                        {},
                        std::move(commands),
                        Emphasis::plain,
                        Icon::picture},
                       strip, right);
}

/// Button of the room's player, with its label. Returns its left end.
float play_button(const Frame& frame, Rect strip, float right) {
    const Ui& ui = frame.ui;
    const Player& player = room_in(frame).player;
    const std::string key = frame.key_of("lecture.play_then_next");
    const std::string words = ui.text(player.invitation) + (player.names_key ? "  (" + key + ")" : "");
    return edge_choice(frame,
                       {"lecture.play",
                        words,
                        ui.text(player.invitation_tip),
                        key,
                        {command::Do{"lecture.play"}},
                        Emphasis::primary,
                        Icon::play},
                       strip, right);
}

/// Button that cycles through question, answer and picture; none without a question. Returns its left end.
float ask_button(const Frame& frame, Rect strip, float right) {
    const Ui& ui = frame.ui;
    const std::optional<Asked> asked = asked_in(frame);
    if (!asked || asked->question.empty()) return right;
    const Alone now = frame.state().lecture.alone;
    const bool answers = now == Alone::question && (!asked->answer.empty() || has_choices_here(frame));
    const bool ends = !answers && (now == Alone::question || now == Alone::answer);
    const std::string key = frame.key_of(answers || ends ? "lecture.ask" : "lecture.question");
    const std::string words = ui.text(answers ? "presenter.answer" : ends ? "lecture.picture" : "presenter.question");
    return edge_choice(
        frame,
        {"lecture.ask", words + "  (" + key + ")", ui.text("lecture.ask_tip"), key, {command::Do{"lecture.ask"}}},
        strip, right);
}

/// Button that toggles whether a click guesses or chooses, if the chapter asks for a patch. Returns its left end.
float guess_button(const Frame& frame, Rect strip, float right) {
    const Ui& ui = frame.ui;
    const State& state = frame.state();
    const auto takes_guess = room_in(frame).teaching.takes_guess;
    const bool picture = state.lecture.alone == Alone::nothing && !reads_beside(state);
    if (!picture || takes_guess == nullptr || !takes_guess(frame.selection.focus)) return right;
    const bool open = frame.selection.guess().open;
    const std::string words = ui.text(open ? "guess.query" : "guess.open");
    return edge_choice(frame,
                       {"lecture.guess",
                        words,
                        ui.text(open ? "guess.query_tip" : "guess.open_tip"),
                        words,
                        {command::Do{"lecture.guess"}}},
                       strip, right);
}

/// Full-screen button for a lecture in a window. Returns its left end.
float screen_button(const Frame& frame, Rect strip, float right) {
    const Ui& ui = frame.ui;
    if (frame.state().full_screen) return right;
    const std::string key = frame.key_of("full_screen");
    return edge_choice(frame,
                       {"lecture.full_screen",
                        ui.text("lecture.full_screen", {{"key", key}}),
                        ui.text("command.full_screen"),
                        key,
                        {command::Do{"full_screen"}}},
                       strip, right);
}

/// Button that pauses or continues what the play button started; none before that. Returns its left end.
float again_button(const Frame& frame, Rect strip, float right) {
    const Player& player = room_in(frame).player;
    if (player.here == nullptr || player.here(frame) != Play::again) return right;
    const bool trains = shows_training(frame);
    const bool playing = trains ? is_training(frame) : player.playing(frame.state(), frame.motion);
    const std::string& tip = frame.ui.text(trains ? player.invitation_tip : player.tip);
    return edge_button(frame, {"lecture.again", {}, tip, {}}, playing ? Icon::pause : Icon::play,
                       {right - strip.height(), strip.y0}, "lecture.play");
}

/// Buttons of a lecture without a lesson in which models train: start, pause and exit. Returns the left end.
float training_at_right(const Frame& frame, Rect strip) {
    const Ui& ui = frame.ui;
    const float gap = ui.theme.px(8);
    float x = edge_button(frame, {"lecture.leave", {}, ui.text("lecture.leave"), "Esc"}, Icon::close,
                          {strip.x1 - strip.height(), strip.y0}, "lecture");
    x = again_button(frame, strip, x - gap);
    x = screen_button(frame, strip, x - gap);
    const Player& player = room_in(frame).player;
    const bool waits = player.here != nullptr && player.here(frame) == Play::waits;
    return waits ? play_button(frame, strip, x - gap) : x;
}

/// Previous, next and exit for mouse and touch, the play button, and the position. Returns the left end.
float steps_at_right(const Frame& frame, Rect strip, int at, int count) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float side = strip.height(), gap = theme.px(8), left = strip.x1 - 3 * side - 2 * gap;
    float x =
        edge_button(frame, {"lecture.back", {}, ui.text("command.lecture.previous"), frame.key_of("lecture.previous")},
                    Icon::left, {left, strip.y0}, "lecture.previous");
    edge_button(frame, {"lecture.on", {}, ui.text("command.lecture.next"), frame.key_of("lecture.next")}, Icon::right,
                {left + side + gap, strip.y0}, "lecture.next");
    edge_button(frame, {"lecture.leave", {}, ui.text("lecture.leave"), "Esc"}, Icon::close,
                {left + 2 * (side + gap), strip.y0}, "lecture");
    const Player& player = room_in(frame).player;
    // An animation covered by a question is not played: Space goes on from the question.
    const bool covered = frame.state().lecture.alone != Alone::nothing;
    const Play play = covered || player.here == nullptr ? Play::nothing : player.here(frame);
    if (play == Play::again) x = again_button(frame, strip, x - gap);
    // The lesson's title leaves room for the prediction and for the keys of other buttons.
    const float prediction_width = width_of_strip(frame), keys = theme.px(200);
    const float most = prediction_width > 0 ? std::min(strip.width() * 0.34F, x - strip.x0 - prediction_width - keys)
                                            : strip.width() * 0.34F;
    std::string words = count_words(frame, at, count, true);
    if (canvas.measure(words, Font::caption).x > most) words = count_words(frame, at, count, false);
    const Point size = canvas.measure(words, Font::caption);
    x -= size.x + gap;
    const Rect rect{x, strip.centre().y - size.y / 2, x + size.x, strip.centre().y + size.y / 2};
    canvas.text({rect.x0, rect.y0}, words, {Font::caption, theme.palette.muted, Align::left});
    ui.probe.mark("lecture.progress", rect, at, words);
    x = ask_button(frame, strip, x - gap);
    x = guess_button(frame, strip, x - gap);
    // There is no room for both: at the end of a lesson, the photograph matters more than full screen.
    x = leads_to_own_photo(frame, at == count - 1) ? photo_button(frame, strip, x - gap)
                                                   : screen_button(frame, strip, x - gap);
    return play == Play::waits ? play_button(frame, strip, x - gap) : x;
}

/// Position in the lecture, the prediction with its changes, and the action of Space.
void lower_edge(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const Lecture& lecture = frame.state().lecture;
    const Point screen = screen_size();
    const float height = std::max(28.0F, theme.px(34)), y = screen.y - theme.px(7) - height;
    const Rect strip{theme.px(14), y, screen.x - theme.px(14), y + height};
    float right = strip.x1;
    if (room_in(frame).places.step != nullptr || lecture.lesson) {
        const int count = lecture.stops(static_cast<int>(curriculum().size())),
                  at = lecture.at(frame.selection.focus.step);
        progress_line(ui, static_cast<float>(at + 1) / static_cast<float>(count));
        right = steps_at_right(frame, strip, at, count) - theme.px(14);
    } else if (room_in(frame).work.learning != nullptr) {
        right = training_at_right(frame, strip) - theme.px(14);
    }
    prediction_strip(frame, {strip.x0, strip.y0, right, strip.y1});
}

// ---- filling the window ---------------------------------------------------------------------------------------------

/// The words in the largest font size that fits.
RichText largest(const Canvas& canvas, const std::string& markup, Color color, Point room) {
    for (const Font font : {Font::title, Font::heading, Font::strong})
        if (measure_rich(canvas, {markup, font, color}, room.x).y <= room.y) return {markup, font, color};
    return {markup, Font::body, color};
}

/// The equation, as large as the area allows.
void equation_alone(const Frame& e, const Asked& asked, Rect room) {
    EquationFigure figure = {asked.equation.id, {e.selection.hovered_symbol()}, without_markup(asked.equation.words)};
    constexpr float largest_size = 6;  // for short equations: three times a title
    const Point usual = equation_size(e.ui, figure, 1e6F);
    if (usual.x <= 0 || usual.y <= 0) return;
    figure.size = std::min(largest_size, figure.size * std::min(room.width() / usual.x, room.height() / usual.y));
    const Point size = equation_size(e.ui, figure, 1e6F);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.ui);
    const Rect place{room.centre().x - size.x / 2, room.centre().y - size.y / 2, room.centre().x + size.x / 2 + 1,
                     room.centre().y + size.y / 2};
    const EquationHit hit = equation_figure(canvas, e.ui, place, figure);
    if (!hit.symbol.empty()) e.selection.hover_symbol(hit.symbol);
    e.ui.probe.mark("lecture.equation", place, static_cast<double>(figure.size), figure.words);
}

/// The controls below the question: its choices, or the what-ifs that it asks for.
enum class BelowQuestion { nothing, choices, switches };
BelowQuestion below_question(const Frame& frame) {
    if (has_choices_here(frame)) return BelowQuestion::choices;
    const LessonStop* const stop = visible_stop(frame.state(), frame.selection.focus);
    if ((stop != nullptr && !stop->question.empty()) || !has_switches_here(frame)) return BelowQuestion::nothing;
    return BelowQuestion::switches;
}

/// The question's font if all choices, with the buttons that count hands, fit half of the height; else a smaller one.
Font font_of_choices(const Frame& frame, Rect room) {
    const LessonStop* const stop = visible_stop(frame.state(), frame.selection.focus);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
    float height = 0;
    for (const LessonChoice& choice : own_choices(*stop, frame.state().settings.language))
        height += measure_rich(canvas, {choice.words, Font::title, {}}, room.width() * 0.7F).y + frame.ui.theme.px(44);
    return height <= room.height() * 0.5F ? Font::title : Font::heading;
}

constexpr float width_of_switches = 620;  // px at scale 1

/// Draws the choices or what-ifs in `rect`; returns the height that they need.
float draw_below_question(const Frame& frame, BelowQuestion below, Rect rect, Rect room) {
    const State& state = frame.state();
    const bool choices = below == BelowQuestion::choices;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const float width = choices ? rect.width() : std::min(rect.width(), frame.ui.theme.px(width_of_switches));
    begin_child({choices ? "lecture.choices" : "lecture.switches", width, rect.height(), false, false, 0});
    if (choices) {
        const bool answered = state.lecture.alone == Alone::answer;
        const bool counts = !answered && !state.settings.presenter;  // else that is done in the presenter's window
        choice_rows(frame.ui, state.lecture,
                    {.font = font_of_choices(frame, room),
                     .answered = answered,
                     .counts = counts,
                     .language = state.settings.language},
                    frame.commands());
    } else {
        switches_here(frame);
        learning_button(frame);
    }
    const float needed = ImGui::GetCursorPosY() + frame.ui.theme.px(4);
    ImGui::EndChild();
    frame.ui.probe.mark("lecture.below", rect, static_cast<double>(needed));
    return needed;
}

/// The question, its choices and its answer, or its answer and its what-ifs, one below the other in the middle of the
/// area.
void question_alone(const Frame& frame, const Asked& asked, bool answered, Rect room) {
    const Ui& ui = frame.ui;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float gap = ui.theme.px(30), most = room.height();
    const BelowQuestion below = below_question(frame);
    Kept<float> needed("below_question");  // of the last frame
    const bool answers = answered && !asked.answer.empty();
    // Words are never truncated: what-ifs that do not fit below them in the smallest font are beside the answer.
    const auto least = [&](const std::string& markup) {
        return measure_rich(canvas, {markup, Font::body, {}}, room.width()).y + gap;
    };
    const float free = most - least(asked.question) - (answers ? least(asked.answer) : 0);
    const float side = std::min(room.width(), ui.theme.px(width_of_switches));
    const bool beside = below == BelowQuestion::switches && answers && needed > 0 && needed + gap > free;
    const float kept = below == BelowQuestion::nothing || beside
                           ? 0
                           : std::min(std::max(free, gap), (needed > 0 ? float{needed} : ui.theme.px(200)) + gap);
    const float words = most - kept;
    const float highest = beside ? std::min(words * 0.45F, most - needed - 2 * gap) : answers ? words * 0.45F : words;
    const RichText question = largest(canvas, asked.question, ui.theme.palette.text, {room.width(), highest});
    const float above = measure_rich(canvas, question, room.width()).y;
    const float width = room.width() - (beside ? side + gap : 0);
    RichText answer = largest(canvas, asked.answer, ui.theme.palette.text, {width, words - above - gap});
    if (answer.font == Font::title && question.font != Font::title) answer.font = question.font;
    const float answer_height = answers ? measure_rich(canvas, answer, width).y + gap : 0,
                lower = beside ? std::max(answer_height, needed + gap) : answer_height;
    float y = room.y0 + std::max(0.0F, (most - above - lower - kept) / 2);
    rich_text(canvas, ui, {room.x0, y, room.x1, y + above}, question);
    ui.probe.mark("lecture.question", {room.x0, y, room.x1, y + above}, 0, without_markup(question.markup));
    y += above + gap;
    const Rect choices{room.x0, y, room.x1, y + kept - gap};
    if (below == BelowQuestion::choices) y += kept;
    if (answers) {
        const Rect rect{room.x0, y, room.x0 + width, y + answer_height - gap};
        canvas.fill({rect.x0, rect.y0 - gap / 2 - ui.theme.px(1), rect.x1, rect.y0 - gap / 2 + ui.theme.px(1)},
                    ui.theme.palette.accent);
        rich_text(canvas, ui, rect, answer);
        ui.probe.mark("lecture.answer", rect, 0, without_markup(asked.answer));
        if (beside) {
            needed =
                draw_below_question(frame, below, {room.x1 - side, y, room.x1, std::min(room.y1, y + needed)}, room);
            return;
        }
        y += answer_height;
    }
    if (below == BelowQuestion::choices) needed = draw_below_question(frame, below, choices, room);
    if (below == BelowQuestion::switches)
        needed = draw_below_question(frame, below, {room.x0, y, room.x1, y + kept - gap}, room);
}

/// Replaces the answer by a note while its run is being computed.
Asked with_answer_of_run(const Frame& frame, Asked asked) {
    const auto& run = frame.shown().result;
    const bool waits =
        room_in(frame).places.step != nullptr && run != nullptr && frame.what_ifs != run->experiment.what_ifs;
    if (waits && !asked.answer.empty()) asked.answer = "{muted|" + frame.ui.text("first_minute.computing") + "}";
    return asked;
}

/// The equation, or the question and its answer, in place of the picture and large enough for the back row.
void alone_card(const Frame& frame) {
    const Alone what = frame.state().lecture.alone;
    if (what == Alone::nothing) return;
    const std::optional<Asked> asked = asked_in(frame);
    if (!asked || (what == Alone::equation ? asked->equation.id : asked->question).empty()) return;
    const Ui& ui = frame.ui;
    const Point screen = screen_size();
    const float low = screen.y - ui.theme.px(46);
    begin_card(ui, "lecture.alone", {0, 0, screen.x, low}, ui.theme.palette.panel);  // nothing shows behind it
    const Rect room{screen.x * 0.1F, screen.y * 0.08F, screen.x * 0.9F, low - screen.y * 0.04F};
    if (what == Alone::equation)
        equation_alone(frame, *asked, {room.x0, room.y0, room.x1, low - screen.y * 0.06F});
    else
        question_alone(frame, with_answer_of_run(frame, *asked), what == Alone::answer, room);
    end_card();
}

// ---- notes ----------------------------------------------------------------------------------------------------------

/// Time of day and duration of the lecture, as high as the button beside them.
void clock_line(const Ui& ui, double seconds) {
    const std::string clock =
        ui.text("lecture.clock", {{"time", time_of_day()}, {"minutes", minutes_and_seconds(seconds)}});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point size = canvas.measure(clock, Font::body);
    const float height = std::max(28.0F, ui.theme.px(36));
    canvas.text({at.x, at.y + (height - size.y) / 2}, clock, {Font::body, ui.theme.palette.text, Align::left});
    ImGui::Dummy({size.x, height});
    ui.probe.mark_item("lecture.clock", 0, clock);
}

/// The speaker's notes and the clock beside the picture, unless there is a presenter's window.
void notes_card(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Lecture& lecture = frame.state().lecture;
    if (!lecture.notes || frame.state().settings.presenter) return;
    const Point screen = screen_size();
    const float gap = ui.theme.px(10), left = screen.x - gap - reading_width(ui.theme, screen.x);
    begin_card(ui, "lecture.notes", {left, gap, screen.x - gap, screen.y - ui.theme.px(50)}, ui.theme.palette.raised);
    clock_line(ui, seconds_since(lecture.began));
    const std::string notes = notes_text(ui, frame.state(), frame.selection.focus);
    const bool editing = !lecture.editing.empty();
    if (button(ui,
               {"notes.edit", ui.text(editing ? "lecture.edit_done" : "lecture.edit"), ui.text("lecture.edit_tip"), {}},
               {Emphasis::quiet, {}, 0}))
        frame.commands().add("lecture.edit_notes");
    if (const std::string planned = planned_words(ui, lecture); !planned.empty()) {
        paragraph(ui, planned);
        ui.probe.mark_item("lecture.planned", 0, planned);
    }
    if (editing) {
        notes_field({ui, lecture.editing, notes}, frame.panel.drafts, frame.commands());
    } else {
        frame.panel.drafts.notes_key.clear();
        paragraph(ui, notes);
        ui.probe.mark_item("notes", 0, notes);
    }
    end_card();
}

/// The computation of the hovered number at the pointer, since its panel is hidden in a lecture.
void number_at_pointer(const Frame& frame) {
    const std::optional<Cell> cell = frame.selection.hovered_cell();
    const bool is_told = tip_is_drawn();  // by the picture itself
    if (!cell || is_told || room_in(frame).places.step == nullptr) return;
    const std::vector<std::string> lines = computation(frame.ui, *frame.shown().result, *cell);
    if (!lines.empty()) readout(frame.ui, lines);
}

}  // namespace

void lecture_cards(const Frame& frame) {
    if (!frame.shown().result || !frame.state().lecture.on || frame.state().lecture.slide != 1.0F) return;
    lower_edge(frame);
    reading_panel(frame);
    if (!reads_beside(frame.state())) prediction_card(frame);
    alone_card(frame);
    notes_card(frame);
    number_at_pointer(frame);  // last, since a card that the pointer has just reached writes its own
}

}  // namespace vitrine
