#include "app/ui/keyboard_focus.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/platform/imgui_compat.h"

namespace vitrine {

void KeyboardFocus::begin_frame() {
    const std::size_t place =
        static_cast<std::size_t>(std::find(order_.begin(), order_.end(), focused_) - order_.begin());
    words_ = std::exchange(next_words_, {});
    figures_ = std::exchange(next_figures_, {});
    order_ = std::exchange(next_, {});
    zones_ = std::exchange(next_zones_, {});
    takes_ = std::exchange(next_takes_, {});
    press_ = context_ = on_last_ = false;
    right_ = down_ = 0;
    if (next_layer_ != layer_) {
        places_[layer_] = focused_;
        layer_ = next_layer_;
        // After a dialog the earlier focus is restored; a dialog starts at its beginning each time, so that Enter means
        // its first choice.
        focused_ = layer_.empty() ? places_[layer_] : std::string();
    }
    next_layer_.clear();
    // A control that has disappeared passes the focus to the one now in its place.
    if (!focused_.empty() && !order_.empty() && std::find(order_.begin(), order_.end(), focused_) == order_.end())
        focused_ = order_[std::min(place, order_.size() - 1)];
    // Not MouseDelta, which is 0 when the mouse enters the window.
    const ImVec2 at = ImGui::GetIO().MousePos;
    constexpr float trembling = 2;  // px; shorter movements of the mouse are unintended
    if (ImGui::IsMousePosValid() && (at.x != mouse_.x || at.y != mouse_.y)) {
        leads_ = false;
        if (std::hypot(at.x - rested_at_.x, at.y - rested_at_.y) > trembling) pointer_rests_ = false;
    }
    mouse_ = {at.x, at.y};
    for (int button = 0; button < 2; ++button)
        if (ImGui::IsMouseClicked(button)) hide(), rest_pointer();
}

void KeyboardFocus::rest_pointer() {
    pointer_rests_ = true;
    rested_at_ = mouse_;
}

namespace {

/// The area that two rectangles have in common.
float common_area(const Rect& a, const Rect& b) {
    const float wide = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
    const float high = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
    return wide > 0 && high > 0 ? wide * high : 0;
}

}  // namespace

float KeyboardFocus::words_below(Rect tip, const void* own) const {
    float area = 0;
    for (const Words& words : words_)
        if (words.on != own) area += common_area(tip, words.rect);
    return area;
}

float KeyboardFocus::figures_below(Rect notice) const {
    float area = 0;
    for (const Rect& figure : figures_) area += common_area(notice, figure);
    return area;
}

void KeyboardFocus::begin_layer(const std::string& id) {
    next_layer_ = id;
    next_words_.clear();  // controls behind a dialog are not read
    next_figures_.clear();
    next_.clear();
    next_zones_.clear();
    next_takes_ = {};
}

void KeyboardFocus::begin_zone(const std::string& id) { next_zones_.push_back({id, next_.size()}); }

void KeyboardFocus::point() {
    leads_ = true;
    since_ = ImGui::GetTime();
}

void KeyboardFocus::go_to(const std::string& id) {
    focused_ = id;
    visible_ = scroll_ = true;
    point();
}

void KeyboardFocus::begin_at(const std::string& id) {
    go_to(id);
    since_ = std::numeric_limits<double>::infinity();
}

void KeyboardFocus::arrows(int right, int down) {
    right_ = right;
    down_ = down;
    point();
}

double KeyboardFocus::rested() const { return ImGui::GetTime() - since_; }

void KeyboardFocus::move(int by) {
    if (order_.empty()) return;
    const auto count = static_cast<int>(order_.size());
    const auto found = std::find(order_.begin(), order_.end(), focused_);
    const int at = found == order_.end() ? (by > 0 ? -1 : count) : static_cast<int>(found - order_.begin());
    // The first Tab after the mouse only shows the focus, unless it leaves a field in which something is typed.
    const bool typing = ImGui::GetIO().WantTextInput && focused_ == typed_in_;
    const bool shown = visible_ || typing || found == order_.end();
    go_to(order_[static_cast<std::size_t>(((shown ? at + by : at) + count) % count)]);
}

void KeyboardFocus::move_zone(int by) {
    std::vector<Zone> zones;
    for (std::size_t i = 0; i < zones_.size(); ++i)
        if (zones_[i].first < (i + 1 < zones_.size() ? zones_[i + 1].first : order_.size())) zones.push_back(zones_[i]);
    if (zones.empty()) return move(by);
    const auto place = static_cast<std::size_t>(std::find(order_.begin(), order_.end(), focused_) - order_.begin());
    int zone = -1;
    for (const Zone& z : zones)
        if (place < order_.size() && z.first <= place) ++zone;
    const auto count = static_cast<int>(zones.size());
    const int to = zone < 0 ? (by > 0 ? 0 : count - 1) : (zone + by + count) % count;
    go_to(order_[zones[static_cast<std::size_t>(to)].first]);
}

void KeyboardFocus::announce(const std::string& id, Rect rect, bool enabled) {
    last_ = id;
    rect_ = rect;
    on_last_ = enabled && id == focused_ && next_layer_ == layer_;
    if (enabled) next_.push_back(id);
    if (!on_last_) return;
    anchor_ = rect;
    if (std::exchange(scroll_, false)) scroll_into_view(rect);
}

bool KeyboardFocus::context_on_last() {
    if (!on_last()) return false;
    next_takes_.context = true;
    return std::exchange(context_, false);
}

int KeyboardFocus::right_on_last() {
    if (!on_last()) return 0;
    next_takes_.right = true;
    return std::exchange(right_, 0);
}

int KeyboardFocus::down_on_last() {
    if (!on_last()) return 0;
    next_takes_.down = true;
    return std::exchange(down_, 0);
}

int KeyboardFocus::cursor_on_last(int count, int columns) {
    if (!on_last() || count <= 0 || columns <= 0) return -1;
    int& cursor = cursors_[last_];
    cursor = std::clamp(cursor, 0, count - 1);
    const int rows = (count + columns - 1) / columns;
    const int right = columns > 1 ? right_on_last() : 0, down = rows > 1 ? down_on_last() : 0;
    const int column = std::clamp(cursor % columns + right, 0, columns - 1), row = cursor / columns + down;
    if (row >= 0 && row * columns + column < count) cursor = row * columns + column;
    if (!leads()) return -1;
    const float width = rect_.width() / static_cast<float>(columns), height = rect_.height() / static_cast<float>(rows);
    const float x = rect_.x0 + width * static_cast<float>(cursor % columns),
                y = rect_.y0 + height * static_cast<float>(cursor / columns);
    anchor_ = {x, y, x + width, y + height};
    return cursor;
}

}  // namespace vitrine
