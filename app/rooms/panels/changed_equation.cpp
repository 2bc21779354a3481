#include "app/rooms/panels/changed_equation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "app/chapters/step.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/result.h"
#include "core/vit/model.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

/// What-ifs that change what a chapter's equation says and have no variant of it.
struct UnshownChanges {
    std::string_view step;
    std::vector<std::string_view> what_ifs;
};

const std::array<UnshownChanges, 8>& unshown_changes() {
    static const std::array<UnshownChanges, 8> rows = {{
        {"position_embedding", {"positions", "shuffle", "swap", "positions-interpolate"}},
        {"qkv", {"temperature", "k=q", "v=q", "no-norm", "pre-norm", "post-norm"}},
        {"scores", {"temperature", "k=q", "v=q"}},
        {"attention_matrix", {"temperature", "k=q", "v=q"}},
        {"attention", {"temperature", "k=q", "v=q"}},
        {"residual", {"no-norm"}},
        {"mlp", {"no-norm", "pre-norm", "post-norm", "no-skip", "activation"}},
        {"activation", {"activation"}},
    }};
    return rows;
}

}  // namespace

std::string changes_of_equation(const Ui& ui, const Step& step, const Result& now, int block) {
    const auto row = std::ranges::find(unshown_changes(), std::string_view(step.id), &UnshownChanges::step);
    if (row == unshown_changes().end()) return {};
    std::string names;
    for (const Intervention& change : now.experiment.what_ifs) {
        const std::optional<KnownWhatIf> known = known_what_if(change);
        const bool here = !change.where.block || *change.where.block == block;
        if (!known || !here ||
            std::ranges::find(row->what_ifs, std::string_view(known->row->name)) == row->what_ifs.end())
            continue;
        names += (names.empty() ? "" : ", ") + intervention_name(ui, now.model->config, change);
    }
    return names;
}

std::string words_of_changed_equation(const Ui& ui, const Step& step, const Result& now, int block) {
    const std::string changes = changes_of_equation(ui, step, now, block);
    return changes.empty() ? std::string() : ui.text("equation.changed", {{"changes", changes}});
}

}  // namespace vitrine
