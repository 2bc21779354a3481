#pragma once

#include <concepts>

#include "core/training/optimiser_kind.h"

namespace vitrine {

/// A learning rate, and whether the user has set it; a set rate survives a change of optimiser. Compares by value.
struct ChosenRate {
    float value = 0;
    bool by_user = false;

    ChosenRate(float rate, bool user = false) : value(rate), by_user(user) {}
    operator float() const { return value; }
    bool operator==(const ChosenRate& other) const { return value == other.value; }
};

/// Sets a choice's optimiser, with its default rate in that family unless the user has set one.
template <class Choice>
requires std::same_as<decltype(Choice::learning_rate), ChosenRate>
void choose_optimiser(Choice& choice, Optimiser optimiser) {
    choice.optimiser = optimiser;
    if (!choice.learning_rate.by_user) choice.learning_rate = static_cast<float>(Choice::Family::usual_rate(optimiser));
}

}  // namespace vitrine
