#include "app/frame/one_block.h"

#include <imgui.h>

#include "app/ui/keyboard_focus.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/workspace.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// The newest change of the norms or skip connections of one block; null: it is another one, or the only block's.
const Intervention* newest_in_one_block(const Workspace& now) {
    const std::vector<Intervention>& all = now.experiment.what_ifs;
    if (all.empty() || now.config().blocks < 2) return nullptr;
    const Intervention& newest = all.back();
    return newest.where.block && (newest.site == Site::norm || newest.site == Site::skip) ? &newest : nullptr;
}

std::string words_of_one_block(const Ui& ui, const Intervention& change) {
    return ui.text("notice.one_block", {{"block", ui.ordinal(*change.where.block - 1)}});
}

}  // namespace

bool is_at_map(const KeyboardFocus& keyboard, Rect map) {
    const ImVec2 pointer = ImGui::GetMousePos();
    return keyboard.leads() ? keyboard.focused().starts_with("map.") : map.contains({pointer.x, pointer.y});
}

std::string one_block_notice(const Ui& ui, const Workspace& now, const std::vector<Intervention>& before) {
    const Intervention* const change = newest_in_one_block(now);
    return change == nullptr || contains(before, *change) ? std::string() : words_of_one_block(ui, *change);
}

std::optional<std::vector<Intervention>> in_all_blocks(const Ui& ui, const Workspace& now, const std::string& notice) {
    const Intervention* const change = newest_in_one_block(now);
    if (change == nullptr || notice != words_of_one_block(ui, *change)) return std::nullopt;
    Intervention everywhere = *change;
    everywhere.where.block.reset();
    std::vector<Intervention> all = now.experiment.what_ifs;
    put(all, everywhere);
    return all;
}

}  // namespace vitrine
