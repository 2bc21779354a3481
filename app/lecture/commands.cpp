#include "app/lecture/commands.h"

#include <imgui.h>

#include <algorithm>

#include "app/rooms/explore/steps/step.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

Lecture& lecture_of(House& house) { return house.state.lecture; }

void go_to_stop(House& house, int stop) {
    Lecture& lecture = lecture_of(house);
    const Result* const now = house.result();
    if (!lecture.lesson || now == nullptr) return;
    Workspace& workspace = house.workspace();
    lecture.stop = std::clamp(stop, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
    const Place to =
        place_of(*lecture.lesson, lecture.stop, {workspace.experiment, workspace.selection.focus}, now->model->config);
    workspace.experiment = to.experiment;
    workspace.selection.focus = to.focus;
    workspace.roles = to.roles;
    house.state.answer_shown = false;
    if (room_of(to.room).chapters) return begin_step(house, to.focus.step);  // also where the stop before showed it
    LearningState wanted = house.state.learning;
    if (!to.runs.empty()) choose_runs(wanted, to.runs);
    const bool goes_on = house.jobs.has_learning() && wanted.same_runs(house.state.learning);
    if (to.runs.empty() || goes_on) return enter_room(house, to.room);
    watch_learning(house, to.runs);
}

/// Where models are to learn, first they begin to.
bool begins_to_learn(House& house) {
    if (!room_of(house.state.room).learns || house.state.learning.recorded) return false;
    Learning& learning = house.jobs.learning();
    const std::vector<RunView> runs = learning.latest();
    const bool fresh =
        std::all_of(runs.begin(), runs.end(), [](const RunView& r) { return r.stage == RunStage::ready; });
    if (learning.running() || !fresh) return false;
    learning.start();
    return true;
}

void move(House& house, int by) {
    Lecture& lecture = lecture_of(house);
    lecture.editing.clear();
    if (lecture.lesson) {
        if (const int wanted = std::clamp(lecture.stop + by, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
            wanted != lecture.stop)
            go_to_stop(house, wanted);
        return;
    }
    enter_step(house, std::clamp(house.focus().step + by, 0, static_cast<int>(curriculum().size()) - 1));
}

/// First the step's motion, then its end if it is still under way, then the next step or stop.
void next(House& house) {
    Motion& motion = house.workspace().motion;
    if (begins_to_learn(house)) return;
    const bool moves =
        room_of(house.state.room).chapters && curriculum()[static_cast<std::size_t>(house.focus().step)].moves;
    if (!moves || motion.time >= 1.0F) return move(house, 1);
    if (motion.playing || motion.time > 0.0F)
        motion = {1.0F, false};
    else
        motion.play();
}

CommandRow pointer_row(const char* id, Key key, Pointer pointer) {
    return {id, "help.pointers", {{key}}, {.skin = KeyContext::Skin::lecture}, [pointer](House& house) {
                Pointer& now = lecture_of(house).pointer;
                now = now == pointer ? Pointer::arrow : pointer;
            }};
}

void edit_notes(House& house) {
    Lecture& lecture = lecture_of(house);
    lecture.editing = lecture.editing.empty() ? lecture.notes_key(house.focus().step) : "";
}

void flip(bool& value) { value = !value; }

constexpr int to_the_end = 1000000;

}  // namespace

const std::vector<CommandRow>& lecture_commands() {
    constexpr KeyContext here{.skin = KeyContext::Skin::lecture};
    static const std::vector<CommandRow> rows = {
        {"lecture.next", "help.lecture_steps", {{Key::space}, {Key::right}, {Key::page_down}}, here, next},
        {"lecture.previous", "help.lecture_steps", {{Key::left}, {Key::page_up}}, here, [](House& h) { move(h, -1); }},
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
        {"lecture.notes", "help.stage", {{Key::n}}, here, [](House& h) { flip(h.state.settings.show_notes); }},
        {"lecture.equation", "help.stage", {{Key::q}}, here, [](House& h) { flip(lecture_of(h).equation); }},
        {"lecture.edit_notes", "", {}, here, edit_notes},
    };
    return rows;
}

void toggle_lecture(House& house) {
    Lecture& lecture = lecture_of(house);
    lecture.on = !lecture.on;
    lecture.pointer = Pointer::arrow;
    lecture.black = false;
    lecture.editing.clear();
    if (!lecture.on) {
        house.workspace().roles = {};
        return;
    }
    lecture.began = ImGui::GetTime();
    show_dialog(house, "");
    if (lecture.lesson) go_to_stop(house, lecture.stop);
}

void begin_lecture(House& house, const std::string& source) {
    Lecture& lecture = lecture_of(house);
    if (source.empty()) {
        lecture.lesson.reset();
    } else {
        lecture.lesson = load_lesson(source);
        lecture.stop = 0;
        lecture.ink.clear();
    }
    house.state.settings.lesson = source;
    lecture.on = false;
    toggle_lecture(house);
}

void lecture_back(House& house) {
    Lecture& lecture = lecture_of(house);
    if (!lecture.editing.empty()) {
        lecture.editing.clear();
    } else if (lecture.black || lecture.pointer != Pointer::arrow) {
        lecture.black = false;
        lecture.pointer = Pointer::arrow;
    } else {
        toggle_lecture(house);
    }
}

}  // namespace vitrine
