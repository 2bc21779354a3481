#pragma once

#include <string>
#include <vector>

#include "app/rooms/exercise/exercise.h"
#include "app/workspace/result.h"
#include "core/vit/model.h"

// What a mistake changes, in numbers of this run.

namespace vitrine {

/// Both runs of an exercise, and where they are looked at.
struct BothRuns {
    const Model& model;
    const Trace &broken, &repaired;
    const Focus& focus;
};

/// A number of the code as it stands beside the repaired code's; its words are "exercise.number.<name>".
struct Compared {
    std::string name;
    double broken = 0, repaired = 0;
    enum class Unit { number, fraction, count } unit = Unit::number;
};

/// Those of an exercise; without a mistake in the forward pass `broken` is not read.
std::vector<Compared> compared_numbers(Exercise exercise, const BothRuns& runs);

/// The chosen token's features as the layer norm of the chosen block leaves them before γ and β, by mistake or not.
std::vector<float> normalised_features(Exercise exercise, const BothRuns& runs, bool mistaken);

/// The length of a token's z after every block.      ->  (L + 1)
std::vector<float> token_lengths(const Trace& trace, int token);

/// What Python says of the code as it stands, and of the repaired code.
struct Printed {
    std::vector<std::string> lines;
    std::string error;  // none where it runs
};
Printed printed_by(Exercise exercise, const Config& config, bool mistaken);

}  // namespace vitrine
