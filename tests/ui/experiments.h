#pragma once

#include <vector>

#include "app/jobs/learning.h"
#include "app/rooms/learning/room.h"
#include "tests/ui/harness.h"

namespace vitrine {

/// A window in Train with the runs of an experiment.
inline Opening experiment(const char* id) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    choose_runs(opening.state.learning, id);
    return opening;
}

inline const LearningState& learning_of(const Harness& h) { return h.app->state().learning; }
inline std::vector<RunView<Pictures>> runs_now(Harness& h) { return h.app->context().jobs().learning().latest(); }

}  // namespace vitrine
