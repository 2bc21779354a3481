#pragma once

#include <functional>
#include <string>

#include "app/rooms/exercise/exercise.h"
#include "app/rooms/room.h"

namespace vitrine {

// The parts of the exercises' room. Each fills the current child window from its cursor on.

/// What an exercise's parts read, and where they put what is chosen.
struct ExerciseFrame {
    const Frame& frame;
    const ExerciseRow& row;
    const Listing& listing;
    const ExerciseProgress& progress;

    Task task() const { return task_of(progress, listing); }
    std::string words(const std::string& key) const;
    void choose(int choice) const;  // of what is to be done next
};

/// The lines; while the wrong one is looked for, each can be chosen. Once it is repaired, with the repair.
void exercise_code(const ExerciseFrame& e);

/// What the code as it stands gives and what the repaired code gives, beside one another.
void exercise_effect(const ExerciseFrame& e);

/// One of the two sides: its id, where, and which run.
struct EffectSide {
    std::string id;
    Rect rect;
    bool broken = true;
};

struct Printed;
/// What Python says, on a side.
void printed_lines(const ExerciseFrame& e, const EffectSide& side, const Printed& said);

/// The result of an exercise of text; null while it is not there, or nothing was read.
const TextResult* text_result_of(const ExerciseFrame& e);
/// A side of such an exercise: what is said, and what is drawn below it.
void text_side(const ExerciseFrame& e, const TextResult& now, const EffectSide& side);

/// What is to be done, and what can be chosen.
void exercise_choices(const Frame& frame);

/// All exercises, those that are done ticked.
void exercise_list(const Frame& frame);

/// Lets `draw` have the exercise that is looked at.
void with_exercise(const Frame& frame, const std::function<void(const ExerciseFrame& e)>& draw);

}  // namespace vitrine
