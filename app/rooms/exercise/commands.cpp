#include <algorithm>

#include "app/rooms/exercise/exercise.h"
#include "app/rooms/exercise/room.h"
#include "app/rooms/house.h"

// What one can ask for in the exercises.

namespace vitrine {

namespace {

void go_to_exercise(House& house, int by) {
    const int last = static_cast<int>(std::size(exercise_names)) - 1;
    Exercise& exercise = house.focus().exercise;
    exercise = exercise_names[std::clamp(place_of(exercise) + by, 0, last)].value;
}

/// Lines are chosen by pointing at them; letters choose among predictions and repairs.
void choose_letter(House& house, int choice) {
    const Exercise exercise = house.focus().exercise;
    const Listing listing = listing_of(exercise, house.result()->model->config);
    ExerciseProgress progress = progress_in(house.state.settings, exercise);
    if (task_of(progress, listing) == Task::find) return;
    choose(progress, listing, choice);
    house.state.settings.exercises[name_of(exercise)] = progress;
}

constexpr KeyContext in_exercises{.room = "exercise", .on_a_run = true},
    exercises_outside_lectures{.room = "exercise", .skin = KeyContext::Skin::window, .on_a_run = true};

CommandRow letter_row(const char* id, Key key, int choice) {
    return {id,
            "help.exercise_choose",
            {{key}},
            exercises_outside_lectures,
            [choice](House& h) { choose_letter(h, choice); },
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
         [](House& h) { go_to_exercise(h, -1); }},
        {"exercise.next",
         "help.exercise",
         {{Key::right}},
         exercises_outside_lectures,
         [](House& h) { go_to_exercise(h, 1); }},
        letter_row("exercise.a", Key::a, 0),
        letter_row("exercise.b", Key::b, 1),
        letter_row("exercise.c", Key::c, 2),
        {"exercise.again",
         "help.exercise_again",
         {{Key::r}},
         in_exercises,
         [](House& h) { h.state.settings.exercises.erase(name_of(h.focus().exercise)); }},
    };
    return rows;
}

}  // namespace vitrine
