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

/// The code; lines can be chosen while the wrong one is searched for. Once repaired, it shows the repair; where it
/// would be larger than the result's figure, only the lines around it. Returns the place of a folded listing, or an
/// empty one.
Rect exercise_code(const ExerciseFrame& e);
/// The whole code over the result, while the pointer is on the folded listing.
void exercise_whole_code(const ExerciseFrame& e, Rect folded);

/// Results of the code with the mistake and of the repaired code, side by side.
void exercise_effect(const ExerciseFrame& e);

/// One of the two sides: its id, position and run.
struct EffectSide {
    std::string id;
    Rect rect;
    bool broken = true;
};

struct Printed;
/// Python's output, on one side.
void printed_lines(const ExerciseFrame& e, const EffectSide& side, const Printed& said);

/// The result of an exercise of text; null if it is not there yet, or the text is empty.
const TextResult* text_result_of(const ExerciseFrame& e);
/// One side of such an exercise: the output and the figure below it.
void text_side(const ExerciseFrame& e, const TextResult& now, const EffectSide& side);

/// The task and its choices.
void exercise_choices(const Frame& frame);

/// The list of exercises, with a tick for those done.
void exercise_list(const Frame& frame);

/// Calls `draw` with the chosen exercise.
void with_exercise(const Frame& frame, const std::function<void(const ExerciseFrame& e)>& draw);

}  // namespace vitrine
