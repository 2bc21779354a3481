#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/files/pytorch/pickle.h"

namespace vitrine {

/// The named tensors of one model, found in the nested dictionaries that a training script saved.
struct StateDict {
    std::vector<std::pair<std::string, PickleId>> tensors;
    std::vector<std::string> notes;  // wrappers opened and parts ignored, one sentence each
};

/// Number of axes of a tensor; -1 for a value that is not a tensor.
using RankOf = std::function<int(PickleId)>;

/// Looks through the dictionaries round a model's weights. Of several models the one that evaluation uses is chosen: an
/// average of weights (EMA), then a teacher, then a plain model. Throws Error, naming the choices, if that decides
/// nothing, and if there are no weights.
StateDict choose_state_dict(const PickleValues& values, PickleId root, const RankOf& rank_of);

/// How likely evaluation reads the model under this name in a file: 0 most likely. Unknown names come last.
int evaluation_rank(std::string_view name);
inline constexpr int unknown_evaluation_rank = 9;

}  // namespace vitrine
