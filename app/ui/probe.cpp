#include "app/ui/probe.h"

#include <imgui.h>

#include <algorithm>
#include <cstdio>

namespace vitrine {

void Probe::begin_frame() {
    items_.clear();
    duplicates_.clear();
    words_.clear();
}

namespace {

/// The part of a rectangle that the current window's draw list shows.
Rect seen_of(Rect rect) {
    const ImDrawList* const list = ImGui::GetWindowDrawList();
    const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
    return {std::max(rect.x0, low.x), std::max(rect.y0, low.y), std::min(rect.x1, high.x), std::min(rect.y1, high.y)};
}

}  // namespace

void Probe::mark(const std::string& id, Rect rect, double value, const std::string& text) {
    if (!on) return;
    const Rect seen = seen_of(rect);
    const bool visible = seen.width() >= 1 && seen.height() >= 1;
    const Item item{seen, visible, value, text};
    const std::string whole = prefix_ + id;
    const auto [at, is_new] = items_.try_emplace(whole, item);
    if (is_new || id.starts_with("cut.")) return;  // the same words may be cut at several places
    duplicates_.push_back(whole + " (" + at->second.text + "; " + text + ")");
    at->second = item;
}

void Probe::mark_item(const std::string& id, double value, const std::string& text) {
    if (!on) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    mark(id, {low.x, low.y, high.x, high.y}, value, text);
}

void Probe::mark_words(Rect line, const std::string& text) {
    if (!on || text.find_first_not_of(" \n") == std::string::npos) return;
    const float air = 0.2F * line.height();  // a line is higher than its letters
    const Rect seen = seen_of({line.x0 + 1, line.y0 + air, line.x1 - 1, line.y1 - air});
    if (seen.width() >= 1 && seen.height() >= 1) words_.push_back({seen, text, ImGui::GetWindowDrawList()});
}

std::vector<std::string> Probe::overlaps() const {
    constexpr float touching = 1.5F;
    std::vector<std::string> pairs;
    for (std::size_t i = 0; i < words_.size(); ++i)
        for (std::size_t j = i + 1; j < words_.size(); ++j) {
            const Words &a = words_[i], &b = words_[j];
            const float wide = std::min(a.rect.x1, b.rect.x1) - std::max(a.rect.x0, b.rect.x0);
            const float high = std::min(a.rect.y1, b.rect.y1) - std::max(a.rect.y0, b.rect.y0);
            if (a.on_top == b.on_top && wide > touching && high > touching)
                pairs.push_back("\"" + a.text + "\" and \"" + b.text + "\"");
        }
    return pairs;
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
