#include "app/ui/probe.h"

#include <imgui.h>

#include <algorithm>
#include <cstdio>

namespace vitrine {

void Probe::begin_frame() {
    items_.clear();
    duplicates_.clear();
}

void Probe::mark(const std::string& id, Rect rect, double value, const std::string& text) {
    if (!on) return;
    const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
                 high = ImGui::GetWindowDrawList()->GetClipRectMax();
    const Rect seen{std::max(rect.x0, low.x), std::max(rect.y0, low.y), std::min(rect.x1, high.x),
                    std::min(rect.y1, high.y)};
    const bool visible = seen.width() >= 1 && seen.height() >= 1;
    if (!items_.insert_or_assign(id, Item{seen, visible, value, text}).second) duplicates_.push_back(id);
}

void Probe::mark_item(const std::string& id, double value, const std::string& text) {
    if (!on) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    mark(id, {low.x, low.y, high.x, high.y}, value, text);
}

const Probe::Item* Probe::find(const std::string& id) const {
    const auto found = items_.find(id);
    return found == items_.end() ? nullptr : &found->second;
}

void Probe::dump(const std::string& file) const {
    const std::string part = file + ".part";
    std::FILE* const out = std::fopen(part.c_str(), "w");
    if (out == nullptr) return;
    for (const auto& [id, item] : items_)
        std::fprintf(out, "%s %d %.0f %.0f %.0f %.0f %.9g %s\n", id.c_str(), item.visible ? 1 : 0,
                     static_cast<double>(item.rect.x0), static_cast<double>(item.rect.y0),
                     static_cast<double>(item.rect.x1), static_cast<double>(item.rect.y1), item.value,
                     item.text.c_str());
    std::fclose(out);
    std::rename(part.c_str(), file.c_str());
}

}  // namespace vitrine
