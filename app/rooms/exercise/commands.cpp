#include <algorithm>

#include "app/rooms/app_context.h"
#include "app/rooms/exercise/exercise.h"
#include "app/rooms/exercise/room.h"

// Commands of the exercises.

namespace vitrine {

namespace {

void go_to_exercise(AppContext& context, int by) {
    const int last = static_cast<int>(std::size(exercise_names)) - 1;
    Exercise& exercise = context.focus().exercise;
    exercise = exercise_names[std::clamp(place_of(exercise) + by, 0, last)].value;
}

/// Chooses a prediction or a repair by letter; lines are chosen by pointing.
void choose_letter(AppContext& context, int choice) {
    const Exercise exercise = context.focus().exercise;
    const Listing listing = listing_of(exercise, context.result()->model->config);
    ExerciseProgress progress = progress_in(context.state.settings, exercise);
    if (task_of(progress, listing) == Task::find) return;
    choose(progress, listing, choice);
    context.state.settings.exercises[name_of(exercise)] = progress;
}

constexpr KeyContext in_exercises{.room = "exercise", .on_a_run = true},
    exercises_outside_lectures{.room = "exercise", .skin = KeyContext::Skin::window, .on_a_run = true};

CommandRow letter_row(const char* id, Key key, int choice) {
    return {id,
            "help.exercise_choose",
            {{key}},
            exercises_outside_lectures,
            [choice](AppContext& h) { choose_letter(h, choice); },
            nullptr,
            false};
}

}  // namespace

const std::vector<CommandRow>& exercise_commands() {
    static const std::vector<CommandRow> rows = {
        {"exercise.previous",
         "help.exercise",
         {{Key::left}},
         exercises_outside_lectures,
         [](AppContext& h) { go_to_exercise(h, -1); }},
        {"exercise.next",
         "help.exercise",
         {{Key::right}},
         exercises_outside_lectures,
         [](AppContext& h) { go_to_exercise(h, 1); }},
        letter_row("exercise.a", Key::a, 0),
        letter_row("exercise.b", Key::b, 1),
        letter_row("exercise.c", Key::c, 2),
        {"exercise.again",
         "help.exercise_again",
         {{Key::r}},
         in_exercises,
         [](AppContext& h) { h.state.settings.exercises.erase(name_of(h.focus().exercise)); }},
    };
    return rows;
}

}  // namespace vitrine
