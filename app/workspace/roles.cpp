#include "app/workspace/roles.h"

#include <algorithm>

namespace vitrine {

void play_roles(const Roles& roles, const Result& now, const DecisiveHead& decisive, Experiment& experiment,
                Focus& focus) {
    if (roles.look) {
        focus.block = decisive.block;
        focus.head = decisive.head;
    }
    if (roles.without) put(experiment.what_ifs, remove_head(decisive.block, decisive.head));
    if (!roles.key) return;
    const auto block = now.baseline.block(focus.block);
    const std::span<const float> row = attention_row(*block, focus.head, focus.token);
    focus.key = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

}  // namespace vitrine
