#include "app/lecture/commands.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/lecture/lesson_writing.h"
#include "app/lecture/notes.h"
#include "app/lecture/stop_words.h"
#include "app/lecture/stops.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room.h"

namespace vitrine {

namespace {

Lecture& lecture_of(House& house) { return house.state.lecture; }

bool has_motion(const House& house) {
    return room_of(house.state.room).chapters && curriculum()[static_cast<std::size_t>(house.focus().step)].moves;
}

/// Whether there is an equation and a question: in the chapters, and in the Text room once its text is there.
bool tells(const House& house) {
    const Room& room = room_of(house.state.room);
    return house.result() != nullptr && (room.chapters || (room.reads && house.workspace().told_text() != nullptr));
}

/// The question of the place, or the one that the stop was given instead.
bool asks(const House& house) {
    const LessonStop* const stop = stop_in_sight(house.state, house.focus());
    const auto own = stop != nullptr ? own_question(*stop, house.state.settings.language) : std::nullopt;
    if (!own && stop != nullptr && !place_asks_of(*stop)) return false;
    return own ? house.result() != nullptr && !own->empty() : tells(house);
}

/// A question of one's own may have no answer.
bool answers(const House& house) {
    const LessonStop* const stop = stop_in_sight(house.state, house.focus());
    const std::string& language = house.state.settings.language;
    return asks(house) && (stop == nullptr || stop->question.empty() || !own_answer(*stop, language).empty());
}

bool nothing_is_opened(const House& house) { return house.result() != nullptr && !house.workspace().arrival; }

/// Where models are to learn, first they begin to.
bool begins_to_learn(House& house) {
    if (!room_of(house.state.room).learns || house.state.learning.recorded) return false;
    if (is_learning(house) || has_begun_to_learn(house)) return false;
    start_learning(house);
    return true;
}

/// Whether a recording is what is seen.
bool shows_recording(const House& house) { return room_of(house.state.room).learns && house.state.learning.recorded; }

/// A recording that plays is shown to its end; true where it was not over.
bool ends_recording(House& house) {
    LearningState& state = house.state.learning;
    if (!shows_recording(house) || !state.playing) return false;
    state.played = 1;
    state.playing = false;
    return true;
}

void stop_editing(House& house) {
    if (std::exchange(lecture_of(house).editing, {}).empty()) return;
    take_over_notes(house);
}

void move(House& house, int by) {
    Lecture& lecture = lecture_of(house);
    stop_editing(house);
    if (lecture.lesson) {
        if (const int wanted = std::clamp(lecture.stop + by, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
            wanted != lecture.stop)
            go_to_stop(house, wanted);
        return;
    }
    show_picture(house);
    if (room_of(house.state.room).measures) return walk_instruments(house, by);
    enter_step(house, std::clamp(house.focus().step + by, 0, static_cast<int>(curriculum().size()) - 1));
}

/// What stands alone goes first; true where something did.
bool takes_away_what_is_alone(House& house) {
    const Alone what = lecture_of(house).alone;
    if (what == Alone::nothing) return false;
    const bool seen = what == Alone::equation ? tells(house) : asks(house);  // elsewhere nobody saw it
    show_picture(house);
    return seen;
}

/// A question that stands alone gets its answer; everything else that does goes. True where something was seen to.
bool answers_or_takes_away(House& house) {
    if (lecture_of(house).alone != Alone::question || !answers(house)) return takes_away_what_is_alone(house);
    lecture_of(house).alone = Alone::answer;
    return true;
}

/// The next step or stop, whether what moves here was seen or not.
void next(House& house) {
    if (!answers_or_takes_away(house)) move(house, 1);
}

/// What waits here, first from the beginning and then to its end; then the next step or stop.
void play_then_next(House& house) {
    Motion& motion = house.workspace().motion;
    if (answers_or_takes_away(house) || begins_to_learn(house) || ends_recording(house)) return;
    const bool under_way = motion.playing || (motion.time > 0.0F && motion.time < 1.0F);
    if (!has_motion(house) || (!motion.waits && !under_way && motion.time >= 1.0F)) return move(house, 1);
    if (under_way)
        motion = {1.0F, false};
    else
        motion.play();
}

void previous(House& house) {
    if (!takes_away_what_is_alone(house)) move(house, -1);
}

/// From the beginning, whether it waits or was seen.
void play_again(House& house) {
    if (takes_away_what_is_alone(house) || begins_to_learn(house)) return;
    if (shows_recording(house)) return go_on_with_recording(house);
    if (!has_motion(house)) return;
    Motion& motion = house.workspace().motion;
    if (!motion.playing) motion.time = 0.0F;
    motion.playing ? static_cast<void>(motion = {1.0F, false}) : motion.play();
}

/// What fills the window, or the picture where it does already.
void show_alone(House& house, Alone what) {
    Alone& now = lecture_of(house).alone;
    now = now == what ? Alone::nothing : what;
}

/// The question, then its answer, then the picture again.
void ask_the_hall(House& house) {
    Alone& now = lecture_of(house).alone;
    if (now == Alone::question && answers(house))
        now = Alone::answer;
    else
        now = now == Alone::question || now == Alone::answer ? Alone::nothing : Alone::question;
}

CommandRow pointer_row(const char* id, Key key, Pointer pointer) {
    return {id, "help.pointers", {{key}}, {.skin = KeyContext::Skin::lecture}, [pointer](House& house) {
                Pointer& now = lecture_of(house).pointer;
                now = now == pointer ? Pointer::arrow : pointer;
            }};
}

void edit_notes(House& house) {
    Lecture& lecture = lecture_of(house);
    if (!lecture.editing.empty()) return stop_editing(house);
    lecture.editing = notes_key(house.state, house.focus());
}

void flip(bool& value) { value = !value; }

/// With the clock, over the picture, instead of beside it.
void show_notes(House& house) {
    Lecture& lecture = lecture_of(house);
    lecture.reading = false;
    flip(lecture.notes);
}

}  // namespace

const std::vector<CommandRow>& lecture_commands() {
    constexpr KeyContext here{.skin = KeyContext::Skin::lecture};
    static const std::vector<CommandRow> rows = {
        {"lecture.next", "help.lecture_steps", {{Key::right}, {Key::page_down}}, here, next},
        {"lecture.previous", "help.lecture_steps", {{Key::left}, {Key::page_up}}, here, previous},
        {"lecture.next_stop", "", {}, here, [](House& h) { move(h, 1); }},
        {"lecture.play_then_next", "help.lecture_play", {{Key::space}}, here, play_then_next},
        {"lecture.play", "", {}, here, play_again},
        {"lecture.first", "help.lecture_ends", {{Key::home}}, here, [](House& h) { move(h, -to_the_end); }},
        {"lecture.last", "help.lecture_ends", {{Key::end}}, here, [](House& h) { move(h, to_the_end); }},
        pointer_row("lecture.laser", Key::d, Pointer::laser),
        pointer_row("lecture.spotlight", Key::f, Pointer::spotlight),
        pointer_row("lecture.pen", Key::p, Pointer::pen),
        pointer_row("lecture.eraser", Key::e, Pointer::eraser),
        {"lecture.clear_ink",
         "help.clear_ink",
         {{Key::remove}},
         here,
         [](House& h) { lecture_of(h).ink_of(h.focus().step).clear(); }},
        {"lecture.black", "help.stage", {{Key::b}, {Key::period}}, here, [](House& h) { flip(lecture_of(h).black); }},
        {"lecture.notes", "help.stage", {{Key::n}}, here, show_notes},
        {"lecture.reading", "", {}, here, [](House& h) { flip(lecture_of(h).reading); }},
        {"lecture.equation", "help.stage", {{Key::q}}, here, [](House& h) { show_alone(h, Alone::equation); }, tells},
        {"lecture.ask", "help.answer", {{Key::a}}, here, ask_the_hall, asks},
        {"lecture.question", "", {}, here, [](House& h) { show_alone(h, Alone::question); }, asks},
        {"lecture.answer", "", {}, here, [](House& h) { show_alone(h, Alone::answer); }, answers},
        {"lecture.peek", "", {}, here, [](House& h) { flip(lecture_of(h).peek); }, answers},
        {"presenter", "help.presenter", {{Key::w}}, here, [](House& h) { flip(h.state.settings.presenter); }},
        {"lecture.edit_notes", "", {}, here, edit_notes},
        {"lesson.keep", "help.keep", {{Key::k}}, {}, keep_stop, nothing_is_opened},
    };
    return rows;
}

/// What was looked at before the lesson, as it was; the lesson's stop is a step of the history.
void lead_back(House& house) {
    const std::optional<Moment> before = std::exchange(lecture_of(house).before, {});
    Workspace& workspace = house.workspace();
    if (!before || before->same_as(workspace.moment({}))) return;
    workspace.changed = true;
    workspace.remember(house.state.room, {}, ImGui::GetTime());
    workspace.go_to(*before);
    workspace.changed = true;
    enter_room(house, before->room);
    notify(house, house.text("lecture.led_back"));
}

void toggle_lecture(House& house) {
    Lecture& lecture = lecture_of(house);
    stop_editing(house);
    lecture.on = !lecture.on;
    lecture.pointer = Pointer::arrow;
    lecture.black = lecture.notes = false;
    show_picture(house);
    if (!lecture.on) {
        house.workspace().roles = {};
        return lead_back(house);
    }
    lecture.began = Clock::now();
    show_dialog(house, "");
    if (lecture.lesson) {
        if (!lecture.before) lecture.before = house.workspace().moment(house.state.room);
        return go_to_stop(house, lecture.stop);
    }
    Motion& motion = house.workspace().motion;
    if (!motion.playing) motion = {1.0F, false, house.state.settings.motion};
}

void begin_lecture(House& house, const std::string& source) {
    Lecture& lecture = lecture_of(house);
    if (source.empty()) {
        lecture.lesson.reset();
        lecture.before.reset();
        house.state.settings.lesson.clear();
    } else {
        open_lesson(house, source);
        lecture.stop = 0;
        lecture.ink.clear();
        lecture.reading = true;
    }
    lecture.on = false;
    toggle_lecture(house);
}

bool lead_to_stop_of(House& house, const Moment& moment) {
    Lecture& lecture = lecture_of(house);
    const std::optional<StopOfLesson> now = stop_now(lecture);
    if (!now || !moment.stop || now == moment.stop || now->source != moment.stop->source) return false;
    if (moment.stop->stop >= static_cast<int>(lecture.lesson->stops.size())) return false;
    stop_editing(house);
    lecture.stop = moment.stop->stop;
    show_picture(house);
    const std::string& room = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)].room;
    if (room_of(room).learns && moment.room == room) show_runs_of_stop(house);
    return true;
}

void lecture_back(House& house) {
    Lecture& lecture = lecture_of(house);
    if (!lecture.editing.empty()) {
        stop_editing(house);
    } else if (lecture.black || lecture.pointer != Pointer::arrow) {
        lecture.black = false;
        lecture.pointer = Pointer::arrow;
    } else if (!takes_away_what_is_alone(house)) {
        toggle_lecture(house);
    }
}

}  // namespace vitrine
