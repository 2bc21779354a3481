#pragma once

#include <span>
#include <string>

#include "tests/monkey/dice.h"
#include "tests/monkey/window.h"

namespace vitrine::monkey {

/// Something that is done to a window, and how often beside the others. It notes itself before it begins.
struct Action {
    const char* name;
    int weight;
    void (*act)(Window& window, Dice& dice);
};

std::span<const Action> actions();

/// One of them by chance, in its share.
const Action& choose(Dice& dice);

}  // namespace vitrine::monkey
