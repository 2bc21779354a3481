#pragma once

#include <functional>
#include <string>

#include "app/rooms/exercise/exercise.h"
#include "app/rooms/room.h"
#include "app/ui/geometry.h"

namespace vitrine {

struct TextResult;

// Parts of the exercises' room. Each fills the current child window from its cursor.

/// Inputs of an exercise's parts, and the destination of choices.
struct ExerciseFrame {
    const Frame& frame;
    const ExerciseRow& row;
    const Listing& listing;
    const ExerciseProgress& progress;

    Task task() const { return task_of(progress, listing); }
    std::string words(const std::string& key) const;
    void choose(int choice) const;  // for the next task
};

/// Draws the code, whose lines can be clicked during the task `find`. Repaired code shows the repair; if it would leave
/// too little room for the result's figure, only the lines around the repair. Returns the rectangle of such a folded
/// listing, else an empty one.
Rect exercise_code(const ExerciseFrame& e);
/// Draws the whole code over the result while the pointer is on the folded listing.
void exercise_whole_code(const ExerciseFrame& e, Rect folded);

/// Draws the results of the code with the mistake and of the repaired code, side by side.
void exercise_effect(const ExerciseFrame& e);

/// One of the two sides: its id, rectangle and run.
struct EffectSide {
    std::string id;
    Rect rect;
    bool broken = true;
};

struct Printed;
/// Draws Python's output on one side.
void printed_lines(const ExerciseFrame& e, const EffectSide& side, const Printed& said);

/// The result of an exercise of text; null if it is not finished, or the text is empty.
const TextResult* text_result_of(const ExerciseFrame& e);
/// Draws one side of an exercise of text: the output and the figure below it.
void text_side(const ExerciseFrame& e, const TextResult& now, const EffectSide& side);

/// Draws the task and its choices.
void exercise_choices(const Frame& frame);

/// Draws the list of exercises, with a tick for those done.
void exercise_list(const Frame& frame);

/// Calls `draw` with the chosen exercise.
void with_exercise(const Frame& frame, const std::function<void(const ExerciseFrame& e)>& draw);

}  // namespace vitrine
