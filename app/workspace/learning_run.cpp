#include "app/workspace/learning_run.h"

#include <algorithm>

namespace vitrine {

bool are_over(const std::vector<RunView>& runs) {
    return !runs.empty() && std::ranges::all_of(runs, [](const RunView& r) {
        return r.stage == RunStage::done || r.stage == RunStage::diverged;
    });
}

bool can_go_on(const std::vector<RunView>& runs) {
    return std::ranges::any_of(runs, [](const RunView& r) { return r.stage != RunStage::diverged; });
}

}  // namespace vitrine
