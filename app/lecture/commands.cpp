#include "app/lecture/commands.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/chapters/step.h"
#include "app/lecture/lesson_writing.h"
#include "app/lecture/notes.h"
#include "app/lecture/stops.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/workspace/photo_model.h"
#include "app/workspace/result.h"
#include "core/vit/experiment.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

Lecture& lecture_of(AppContext& context) { return context.state.lecture; }

const RoomAnswers& room_in_view(const AppContext& context) { return answers_of(context.state.room); }

bool has_motion(const AppContext& context) {
    const auto step = room_in_view(context).places.step;
    return step != nullptr && step(context.focus())->own.moves;
}

/// True if the place has an equation and a question of its own: in rooms with chapters, once there is a run.
bool tells(const AppContext& context) {
    const auto asks = room_in_view(context).teaching.asks;
    return context.result() != nullptr && asks != nullptr && asks(context.workspace());
}

/// True if the stop has a question of its own, or else its place has one.
bool asks(const AppContext& context) {
    const LessonStop* const stop = visible_stop(context.state, context.focus());
    const auto own = stop != nullptr ? own_question(*stop, context.state.settings.language) : std::nullopt;
    if (!own && stop != nullptr && !place_asks_of(*stop)) return false;
    return own ? context.result() != nullptr && !own->empty() : tells(context);
}

/// True if the question of the place or stop has an answer; a stop's own question may have none.
bool answers(const AppContext& context) {
    const LessonStop* const stop = visible_stop(context.state, context.focus());
    const std::string& language = context.state.settings.language;
    const bool says = stop == nullptr || stop->question.empty() || !own_answer(*stop, language).empty() ||
                      !own_choices(*stop, language).empty();
    return asks(context) && says;
}

bool takes_guess(const AppContext& context) {
    const auto takes = room_in_view(context).teaching.takes_guess;
    return context.result() != nullptr && takes != nullptr && takes(context.focus());
}
/// Toggles whether a click on a patch guesses or chooses.
void flip_guess(AppContext& context) {
    Selection& selection = context.workspace().selection;
    selection.open_guess(!selection.guess().open);
}

bool is_answered_by_model(const AppContext& context) {
    return context.result() != nullptr && room_in_view(context).teaching.draw_whole_answer != nullptr;
}

/// True if the view can be kept as a stop; also in the dialogs that offer it, such as the finder.
bool can_keep_stop(const AppContext& context) {
    const std::string& dialog = context.state.dialog;
    return is_view_open(context) && (dialog.empty() || dialog == "lessons" || dialog == "lesson" || dialog == "find");
}

/// Calls a function of the room's own player, such as that of training runs. False if it has none or did nothing: then
/// the chapter's animation is played.
bool plays_here(AppContext& context, bool (*Player::*how)(AppContext& context)) {
    const auto play = room_in_view(context).player.*how;
    return play != nullptr && play(context);
}

void stop_editing(AppContext& context) {
    if (std::exchange(lecture_of(context).editing, {}).empty()) return;
    take_over_notes(context);
}

/// The notice at the end of a lesson; if there is a model of photographs, it offers the user's own photograph.
std::string end_of_lesson(const AppContext& context) {
    const auto& model = context.state.photo_model;
    if (!model || room_in_view(context).places.step == nullptr) return context.text("lecture.end");
    return context.text("lecture.end_photo", {{"name", short_name(*model)}});
}

void move(AppContext& context, int by) {
    Lecture& lecture = lecture_of(context);
    stop_editing(context);
    if (lecture.lesson) {
        if (const int wanted = std::clamp(lecture.stop + by, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
            wanted != lecture.stop)
            go_to_stop(context, wanted);
        else if (by > 0)
            notify(context, end_of_lesson(context));
        return;
    }
    show_picture(context);
    if (const auto walk = room_in_view(context).places.walk; walk != nullptr) return walk(context, by);
    enter_step(context, std::clamp(context.focus().step + by, 0, static_cast<int>(curriculum().size()) - 1));
}

/// Closes the equation, question or answer that fills the window; true if one did.
bool clear_window(AppContext& context) {
    const Alone what = lecture_of(context).alone;
    if (what == Alone::nothing) return false;
    const bool seen = what == Alone::equation ? tells(context) : asks(context);  // not visible in other places
    show_picture(context);
    return seen;
}

/// Makes the changes that the chapter's question asks for, unless something else is changed, since the answer has the
/// numbers of the changed run. Undo reverses them; a lesson's next stop starts without them.
void make_asked_changes(AppContext& context) {
    const LessonStop* const stop = visible_stop(context.state, context.focus());
    const Result* const now = context.result();
    if (now == nullptr || room_in_view(context).places.step == nullptr || !looks_ready(context)) return;
    if (stop != nullptr && !stop->question.empty()) return;
    const auto changes_asked = step_at(context.focus()).own.asked;
    if (changes_asked == nullptr || now->model->config.classes == 0) return;
    WhatIfs& what_ifs = context.workspace().experiment.what_ifs;
    const WhatIfs asked = changes_asked(*now, context.workspace().selection);
    if (std::ranges::all_of(what_ifs, [&](const Intervention& one) { return contains(asked, one); }))
        for (const Intervention& one : asked) put(what_ifs, one);
}

void show_answer_alone(AppContext& context) {
    lecture_of(context).alone = Alone::answer;
    make_asked_changes(context);
}

/// Shows the answer to a question that fills the window, or closes an equation. False if there is neither, so that the
/// next step or stop follows.
bool reveal(AppContext& context) {
    const Alone what = lecture_of(context).alone;
    if (what == Alone::equation) return clear_window(context);
    if (what != Alone::question || !answers(context)) return false;
    show_answer_alone(context);
    return true;
}

/// Shows the answer or closes the equation, or else goes to the next step or stop, played or not.
void next(AppContext& context) {
    if (!reveal(context)) move(context, 1);
}

/// True if a question or its answer fills the window, over anything that could be played.
bool asks_alone(const AppContext& context) {
    const Alone what = context.state.lecture.alone;
    return (what == Alone::question || what == Alone::answer) && asks(context);
}

/// Plays a waiting animation, then skips to its end, then goes to the next step or stop.
void play_then_next(AppContext& context) {
    Motion& motion = context.workspace().motion;
    if (reveal(context)) return;
    if (asks_alone(context)) return move(context, 1);
    if (plays_here(context, &Player::start_or_stop)) return;
    const bool under_way = motion.playing || (motion.time > 0.0F && motion.time < 1.0F);
    if (!has_motion(context) || (!motion.waits && !under_way && motion.time >= 1.0F)) return move(context, 1);
    if (under_way)
        motion = {1.0F, false};
    else
        motion.play();
}

/// Goes back from an answer to its question, then to the picture, then to the previous step or stop.
void previous(AppContext& context) {
    Alone& now = lecture_of(context).alone;
    if (now == Alone::answer && asks_alone(context)) {
        now = Alone::question;
        return;
    }
    if (!clear_window(context)) move(context, -1);
}

/// Plays the animation from its beginning; one that is playing skips to its end.
void play_again(AppContext& context) {
    if (clear_window(context) || plays_here(context, &Player::again) || !has_motion(context)) return;
    Motion& motion = context.workspace().motion;
    if (!motion.playing) motion.time = 0.0F;
    motion.playing ? static_cast<void>(motion = {1.0F, false}) : motion.play();
}

/// Shows something instead of the picture, or the picture again.
void show_alone(AppContext& context, Alone what) {
    Alone& now = lecture_of(context).alone;
    now = now == what ? Alone::nothing : what;
    if (now == Alone::answer) make_asked_changes(context);
}

/// Cycles through question, answer and picture.
void cycle_question(AppContext& context) {
    Alone& now = lecture_of(context).alone;
    if (now == Alone::question && answers(context))
        show_answer_alone(context);
    else
        now = now == Alone::question || now == Alone::answer ? Alone::nothing : Alone::question;
}

CommandRow pointer_row(const char* id, Key key, Pointer pointer) {
    return {id, "help.pointers", {{key}}, {.skin = KeyContext::Skin::lecture}, [pointer](AppContext& context) {
                Pointer& now = lecture_of(context).pointer;
                now = now == pointer ? Pointer::arrow : pointer;
            }};
}

void edit_notes(AppContext& context) {
    Lecture& lecture = lecture_of(context);
    if (!lecture.editing.empty()) return stop_editing(context);
    lecture.editing = notes_key(context.state, context.focus());
}

void flip(bool& value) { value = !value; }

/// Shows notes and clock over the picture instead of beside it.
void show_notes(AppContext& context) {
    Lecture& lecture = lecture_of(context);
    lecture.reading = false;
    flip(lecture.notes);
}

void lecture_with_presenter(AppContext& context) {
    context.state.settings.presenter = true;
    toggle_lecture(context);
}

/// Opens the lesson that was last open in an earlier window; none if its file is missing.
void open_last_lesson(AppContext& context) {
    const std::string last = context.state.settings.lesson;
    std::error_code ignored;
    if (last.empty() || !(is_bundled_lesson(last) || std::filesystem::exists(last, ignored))) return;
    open_lesson(context, last);
}

/// True if the open lesson, or else the one that was last open, is the user's own.
bool has_own_lesson(const AppContext& context) {
    const Lecture& lecture = context.state.lecture;
    if (lecture.lesson) return is_own_lesson(lecture);
    const std::string& last = context.state.settings.lesson;
    std::error_code ignored;
    return !last.empty() && !is_bundled_lesson(last) && std::filesystem::exists(last, ignored);
}

void edit_lesson(AppContext& context) {
    if (!lecture_of(context).lesson) open_last_lesson(context);
    keep_in_open_lesson(lecture_of(context));
    show_dialog(context, "lesson");
}

}  // namespace

const std::vector<CommandRow>& lecture_commands() {
    constexpr KeyContext here{.skin = KeyContext::Skin::lecture};
    static const std::vector<CommandRow> rows = {
        {"lecture.next", "help.lecture_steps", {{Key::right}, {Key::page_down}}, here, next},
        {"lecture.previous", "help.lecture_steps", {{Key::left}, {Key::page_up}}, here, previous},
        {"lecture.next_stop", "", {}, here, [](AppContext& h) { move(h, 1); }},
        {"lecture.play_then_next", "help.lecture_play", {{Key::space}}, here, play_then_next},
        {"lecture.play", "", {}, here, play_again},
        {"lecture.first", "help.lecture_ends", {{Key::home}}, here, [](AppContext& h) { move(h, -to_the_end); }},
        {"lecture.last", "help.lecture_ends", {{Key::end}}, here, [](AppContext& h) { move(h, to_the_end); }},
        pointer_row("lecture.laser", Key::d, Pointer::laser),
        pointer_row("lecture.spotlight", Key::f, Pointer::spotlight),
        pointer_row("lecture.pen", Key::p, Pointer::pen),
        pointer_row("lecture.eraser", Key::e, Pointer::eraser),
        {"lecture.clear_ink",
         "help.clear_ink",
         {{Key::remove}},
         here,
         [](AppContext& h) { lecture_of(h).ink_of(h.focus().step).clear(); }},
        {"lecture.black",
         "help.stage",
         {{Key::b}, {Key::period}},
         here,
         [](AppContext& h) { flip(lecture_of(h).black); }},
        {"lecture.notes", "help.stage", {{Key::n}}, here, show_notes},
        {"lecture.reading", "", {}, here, [](AppContext& h) { flip(lecture_of(h).reading); }},
        {"lecture.equation",
         "help.stage",
         {{Key::i}},
         here,
         [](AppContext& h) { show_alone(h, Alone::equation); },
         tells},
        {"lecture.ask", "help.answer", {{Key::a}}, here, cycle_question, asks},
        {"lecture.question",
         "help.stage",
         {{Key::q}},
         here,
         [](AppContext& h) { show_alone(h, Alone::question); },
         asks},
        {"lecture.answer", "", {}, here, [](AppContext& h) { show_alone(h, Alone::answer); }, answers},
        {"lecture.guess", "", {}, here, flip_guess, takes_guess},
        {"lecture.tell", "", {}, here, [](AppContext& h) { flip(lecture_of(h).told); }, is_answered_by_model},
        {"lecture.peek", "", {}, here, [](AppContext& h) { flip(lecture_of(h).peek); }, answers},
        {"presenter", "help.presenter", {{Key::w}}, here, [](AppContext& h) { flip(h.state.settings.presenter); }},
        {"lecture.edit_notes", "", {}, here, edit_notes},
        {"lecture.with_presenter", "", {}, {.skin = KeyContext::Skin::window}, lecture_with_presenter},
        {"setting.plays", "", {}, {}, [](AppContext& h) { flip(h.state.settings.plays); }},
        {"lesson.keep", "help.keep", {{Key::k}}, {}, keep_stop, can_keep_stop},
        {"lesson.new", "", {}, {}, begin_lesson},
        {"lesson.edit", "", {}, {}, edit_lesson, has_own_lesson},
    };
    return rows;
}

namespace {

bool is_at_last_stop(const Lecture& lecture) {
    return lecture.lesson && lecture.stop + 1 >= static_cast<int>(lecture.lesson->stops.size());
}

void begin_anew(Lecture& lecture) {
    lecture.stop = lecture.left = 0;
    lecture.ink.clear();
    lecture.hands.clear();
}

/// Resumes a lesson that was left midway, with a notice; begins again one that ended at its last stop. One that was
/// left at its first stop keeps its ink. Counted hands are cleared, since they belong to one audience.
void begin_or_resume(AppContext& context) {
    Lecture& lecture = lecture_of(context);
    lecture.hands.clear();
    lecture.stop = std::min(lecture.left, static_cast<int>(lecture.lesson->stops.size()) - 1);
    if (lecture.stop == 0) return;
    if (is_at_last_stop(lecture)) return begin_anew(lecture);
    notify(context, context.text("lecture.resumed", {{"stop", std::to_string(lecture.stop + 1)}}));
}

/// Restores the view from before the lesson; the lesson's stop stays in the history.
void lead_back(AppContext& context) {
    const std::optional<Moment> before = std::exchange(lecture_of(context).before, {});
    if (!before || before->same_as(context.workspaces.moment({}))) return;
    context.workspace().changed = true;
    context.workspaces.remember(context.state.room, {}, ImGui::GetTime());
    context.go_to(*before);
    context.workspace().changed = true;
    enter_room(context, before->room);
    const bool over = is_at_last_stop(lecture_of(context));
    notify(context, context.text(over ? "lecture.led_back_over" : "lecture.led_back"));
}

}  // namespace

void toggle_lecture(AppContext& context) {
    Lecture& lecture = lecture_of(context);
    if (!lecture.on && !lecture.lesson) open_last_lesson(context);
    stop_editing(context);
    lecture.on = !lecture.on;
    lecture.pointer = Pointer::arrow;
    lecture.black = lecture.notes = false;
    show_picture(context);
    if (!lecture.on) {
        lecture.left = lecture.stop;
        context.workspace().roles = {};
        return lead_back(context);
    }
    lecture.began = Clock::now();
    show_dialog(context, "");
    if (lecture.lesson) {
        if (!lecture.before) lecture.before = context.workspaces.moment(context.state.room);
        begin_or_resume(context);
        return go_to_stop(context, lecture.stop);
    }
    Motion& motion = context.workspace().motion;
    if (!motion.playing) motion = {1.0F, false, context.state.settings.motion};
}

void begin_lecture(AppContext& context, const std::string& source) {
    Lecture& lecture = lecture_of(context);
    if (source.empty()) {
        lecture.lesson.reset();
        lecture.before.reset();
        context.state.settings.lesson.clear();
    } else {
        open_lesson(context, source);
        if (is_own_lesson(lecture)) keep_in_open_lesson(lecture);
        if (lecture.on || lecture.left == 0) begin_anew(lecture);  // also one chosen again during the lecture
        lecture.reading = true;
    }
    lecture.on = false;
    toggle_lecture(context);
}

void resume_lecture(AppContext& context, const StopOfLesson& at) {
    Lecture& lecture = lecture_of(context);
    if (at.source.empty())
        lecture.lesson.reset();
    else
        open_lesson(context, at.source);
    lecture.before.reset();
    lecture.on = lecture.reading = true;
    lecture.pointer = Pointer::arrow;
    lecture.black = lecture.notes = false;
    lecture.began = Clock::now();
    show_picture(context);
    if (!lecture.lesson) return;
    lecture.stop = std::clamp(at.stop, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
    const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    if (stop.recorded && stop.room == context.state.room)
        if (const auto show = answers_of(stop.room).places.show; show != nullptr) show(context, stop);
    notify(context, context.text("lecture.resumed", {{"stop", std::to_string(lecture.stop + 1)}}));
}

bool return_to_stop(AppContext& context, const Moment& moment) {
    Lecture& lecture = lecture_of(context);
    const std::optional<StopOfLesson> now = stop_now(lecture);
    if (!now || !moment.stop || now == moment.stop || now->source != moment.stop->source) return false;
    if (moment.stop->stop >= static_cast<int>(lecture.lesson->stops.size())) return false;
    stop_editing(context);
    lecture.stop = moment.stop->stop;
    show_picture(context);
    const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    if (const auto show = answers_of(stop.room).places.show; show != nullptr && moment.room == stop.room)
        show(context, stop);
    return true;
}

void lecture_back(AppContext& context) {
    Lecture& lecture = lecture_of(context);
    if (!lecture.editing.empty()) {
        stop_editing(context);
    } else if (lecture.black || lecture.pointer != Pointer::arrow) {
        lecture.black = false;
        lecture.pointer = Pointer::arrow;
    } else if (std::exchange(lecture.told, false)) {
        return;
    } else if (!clear_window(context)) {
        toggle_lecture(context);
    }
}

}  // namespace vitrine
