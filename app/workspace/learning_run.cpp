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

std::optional<double> expected_seconds(const std::vector<RunView>& runs) {
    double seconds = 0;
    for (const RunView& run : runs) {
        if (!run.expected_pace || !run.recipe.promised_pictures) return std::nullopt;
        seconds += static_cast<double>(*run.recipe.promised_pictures) / *run.expected_pace;
    }
    return runs.empty() ? std::nullopt : std::optional(seconds);
}

}  // namespace vitrine
