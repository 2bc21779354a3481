#include "app/lecture/stop_words.h"

#include "app/lecture/lecture.h"
#include "app/lecture/lesson.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/state.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/text.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

/// What the place itself asks.
std::optional<Asked> asked_by_place(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Focus& focus = frame.selection.focus;
    if (room_of(frame.state().room).chapters) {
        const Step& step = curriculum()[static_cast<std::size_t>(focus.step)];
        const Result& now = *frame.shown().result;
        return Asked{equation_id(step, now, focus), step_text(ui, step, "equation"), step_text(ui, step, "question"),
                     answer_text(ui, step, now, frame.selection)};
    }
    const TextResult* const now = frame.workspace.told_text(frame.text_experiment, focus.text.chapter);
    if (!room_of(frame.state().room).reads || now == nullptr) return std::nullopt;
    const TextTold told{ui, *now, frame.selection, frame.workspace, frame.text_experiment};
    return Asked{chapter_equation(told), chapter_text(ui, focus.text.chapter, "equation"),
                 chapter_text(ui, focus.text.chapter, "question"), chapter_answer(told)};
}

/// What stands over runs that learn, by their name in a lesson.
std::string title_of_runs(const std::string& runs) {
    if (runs == "plain") return "learn.title";
    if (runs == "nets") return "learn.study.title";
    return (value_in(text_task_names, runs) ? "learn.text.title." : "learn.experiment.") + runs;
}

}  // namespace

std::optional<Asked> asked_in(const Frame& frame) {
    const State& state = frame.state();
    const LessonStop* const stop = stop_in_sight(state, frame.selection.focus);
    std::optional<Asked> usual = asked_by_place(frame);
    if (stop == nullptr || (!usual && stop->question.empty())) return usual;
    return asked_at(stop, state.settings.language, usual.value_or(Asked{}));
}

const LessonStop* stop_in_sight(const State& state, const Focus& focus) {
    const Lecture& lecture = state.lecture;
    if (!lecture.on || !lecture.lesson) return nullptr;
    const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    const Room& room = room_of(state.room);
    const bool there = room.chapters   ? stop.step == focus.step
                       : room.measures ? stop.id == name_in(instrument_names, focus.lab.instrument)
                       : room.repairs  ? stop.id == name_in(exercise_names, focus.exercise)
                       : room.reads    ? stop.id == name_of(focus.text.chapter) && !focus.text.lab.open
                                       : true;
    return stop.room == state.room && there ? &stop : nullptr;
}

bool place_asks_of(const LessonStop& stop) { return stop.id != "attention" || stop.token.value_or(0) == 0; }

Asked asked_at(const LessonStop* stop, const std::string& language, Asked usual) {
    if (stop == nullptr) return usual;
    if (stop->question.empty() && !place_asks_of(*stop)) {
        usual.question = usual.answer = {};
        return usual;
    }
    const std::string answer = own_answer(*stop, language);
    if (const std::optional<std::string> own = own_question(*stop, language)) {
        usual.question = *own;
        usual.answer = own->empty() ? std::string() : answer;
    } else if (!answer.empty()) {
        usual.answer = answer;
    }
    return usual;
}

std::string heading_in_sight(const Frame& frame, const std::string& usual) {
    const State& state = frame.state();
    const LessonStop* const stop = stop_in_sight(state, frame.selection.focus);
    const std::string own = stop == nullptr ? std::string() : own_title(*stop, state.settings.language);
    return own.empty() ? usual : own;
}

std::string stop_title(const Ui& ui, const LessonStop& stop, const std::string& language) {
    if (std::string own = own_title(stop, language); !own.empty()) return own;
    const Room& room = room_of(stop.room);
    if (room.chapters) return step_text(ui, curriculum()[static_cast<std::size_t>(stop.step)], "title");
    if (room.learns) return ui.text(title_of_runs(stop.id));
    return ui.text((room.measures ? "lab." : room.reads ? "text." : "exercise.") + stop.id + ".title");
}

}  // namespace vitrine
