#pragma once

#include <concepts>

#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/rooms/app_context.h"
#include "app/rooms/learning/learning_state.h"

// Uniform access to both families' jobs and chosen runs.

namespace vitrine {

template <class Family>
constexpr bool of_texts(Family) {
    return std::same_as<Family, Texts>;
}

/// A family's job, started if necessary.
inline Learning<Pictures>& job_of(const AppContext& context, Pictures) { return context.jobs().learning(); }
inline Learning<Texts>& job_of(const AppContext& context, Texts) { return context.jobs().text_learning(); }

inline const LearningState& chosen_of(const LearningState& state, Pictures) { return state; }
inline const TextLearningState& chosen_of(const LearningState& state, Texts) { return state.text; }

/// Calls `act` with the family of texts or of pictures.
template <class Act>
auto with_family(bool texts, const Act& act) {
    return texts ? act(Texts()) : act(Pictures());
}

/// Calls `act` with each family whose job has started.
template <class Act>
void each_started(const AppContext& context, const Act& act) {
    if (context.jobs().has_learning()) act(Pictures());
    if (context.jobs().has_text_learning()) act(Texts());
}

}  // namespace vitrine
