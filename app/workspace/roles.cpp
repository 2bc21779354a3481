#include "app/workspace/roles.h"

#include <algorithm>

#include "app/workspace/text_result.h"
#include "core/text/text_what_ifs.h"
#include "core/training/confidence.h"

namespace vitrine {

bool turn_to_key(const Roles& roles, const Result& now, const DecisiveHead& decisive, Focus& focus) {
    if (!roles.key) return true;
    if (roles.look) {
        focus.block = decisive.block;
        focus.head = decisive.head;
    }
    return now.baseline.block_if_there(focus.block) != nullptr;
}

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

void play_text_roles(const Roles& roles, const TextResult& now, const TextDraft& draft) {
    const bool story = now.request.task == TextTask::story;
    const TalliedHead& found = story ? now.induction_head : now.it_head;
    if (found.count == 0) return;
    if (roles.look) {
        draft.look.block = found.block;
        draft.look.head = found.head;
    }
    if (!roles.without) return;
    const TextAttention kind = story ? TextAttention::decoder : TextAttention::encoder;
    draft.experiment.what_ifs.push_back(word_of_head(kind, found.block, found.head));
}

}  // namespace vitrine
