#pragma once

#include <string>
#include <vector>

#include "app/rooms/exercise/exercise.h"
#include "app/workspace/result.h"
#include "core/vit/model.h"

// Numbers that show the effect of a mistake on a run.

namespace vitrine {

struct Focus;

/// Both runs of an exercise, and the focus.
struct BothRuns {
    const Model& model;
    const Trace &broken, &repaired;
    const Focus& focus;
};

/// A number of the run with the mistake and of the repaired run; its words are "exercise.number.<name>".
struct Compared {
    std::string name;
    double broken = 0, repaired = 0;
    enum class Unit { number, fraction, count } unit = Unit::number;
};

/// The numbers of an exercise; `broken` is not read if the forward pass does not contain the mistake.
std::vector<Compared> compared_numbers(Exercise exercise, const BothRuns& runs);

/// The chosen token's features after the layer norm of the chosen block, before γ and β, with or without the mistake.
std::vector<float> normalised_features(Exercise exercise, const BothRuns& runs, bool mistaken);

/// The length of a token's z after every block.      ->  (L + 1)
std::vector<float> token_lengths(const Trace& trace, int token);

/// Python's output for the code with the mistake, or for the repaired code.
struct Printed {
    std::vector<std::string> lines;
    std::string error;  // none if it runs
};
Printed printed_by(Exercise exercise, const Config& config, bool mistaken);

}  // namespace vitrine
