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

/// Finds a model's weights in nested dictionaries. Of several models it chooses the one used for evaluation: averaged
/// weights (EMA), else a teacher, else a plain model. Throws Error if several models are equally likely (with their
/// names), and if there are no weights.
StateDict choose_state_dict(const PickleValues& values, PickleId root, const RankOf& rank_of);

/// The rank of a name in a file by how likely its model is used for evaluation: 0 is most likely, unknown names last.
int evaluation_rank(std::string_view name);
inline constexpr int unknown_evaluation_rank = 9;

}  // namespace vitrine
