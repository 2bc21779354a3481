#pragma once

#include <span>
#include <string>

#include "tests/monkey/dice.h"
#include "tests/monkey/window.h"

namespace vitrine::monkey {

/// An action on a window with its weight. It records itself before it starts.
struct Action {
    const char* name;
    int weight;
    void (*act)(Window& window, Dice& dice);
};

std::span<const Action> actions();

/// A random action, by weight.
const Action& choose(Dice& dice);

}  // namespace vitrine::monkey
