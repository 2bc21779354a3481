#include "app/keyboard_focus.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/imgui_compat.h"

namespace vitrine {

void KeyboardFocus::begin_frame() {
    const std::size_t place =
        static_cast<std::size_t>(std::find(order_.begin(), order_.end(), focused_) - order_.begin());
    order_ = std::exchange(next_, {});
    zones_ = std::exchange(next_zones_, {});
    takes_arrows_ = std::exchange(next_takes_arrows_, false);
    press_ = on_last_ = false;
    right_ = down_ = 0;
    if (next_layer_ != layer_) {
        places_[layer_] = focused_;
        layer_ = next_layer_;
        focused_ = places_[layer_];
    }
    next_layer_.clear();
    // A control that is gone hands on to the one that stands in its place.
    if (!focused_.empty() && !order_.empty() && std::find(order_.begin(), order_.end(), focused_) == order_.end())
        focused_ = order_[std::min(place, order_.size() - 1)];
    for (int button = 0; button < 2; ++button)
        if (ImGui::IsMouseClicked(button)) hide();
}

void KeyboardFocus::begin_layer(const std::string& id) {
    next_layer_ = id;
    next_.clear();
    next_zones_.clear();
    next_takes_arrows_ = false;
}

void KeyboardFocus::begin_zone(const std::string& id) { next_zones_.push_back({id, next_.size()}); }

void KeyboardFocus::go_to(std::size_t place) {
    focused_ = order_[place];
    visible_ = scroll_ = true;
}

void KeyboardFocus::move(int by) {
    if (order_.empty()) return;
    const auto count = static_cast<int>(order_.size());
    const auto found = std::find(order_.begin(), order_.end(), focused_);
    const int at = found == order_.end() ? (by > 0 ? -1 : count) : static_cast<int>(found - order_.begin());
    // The first Tab after the mouse shows where the place is.
    const bool shown = visible_ || found == order_.end();
    go_to(static_cast<std::size_t>(((shown ? at + by : at) + count) % count));
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
    go_to(zones[static_cast<std::size_t>(to)].first);
}

void KeyboardFocus::announce(const std::string& id, Rect rect, bool enabled) {
    last_ = id;
    on_last_ = enabled && id == focused_ && next_layer_ == layer_;
    if (enabled) next_.push_back(id);
    if (on_last_ && std::exchange(scroll_, false)) scroll_into_view(rect);
}

int KeyboardFocus::right_on_last() {
    if (!on_last()) return 0;
    next_takes_arrows_ = true;
    return std::exchange(right_, 0);
}

int KeyboardFocus::down_on_last() {
    if (!on_last()) return 0;
    next_takes_arrows_ = true;
    return std::exchange(down_, 0);
}

int KeyboardFocus::cursor_on_last(int count, int columns) {
    if (!on_last() || count <= 0) return -1;
    int& cursor = cursors_[last_];
    cursor = std::clamp(cursor, 0, count - 1);
    const int right = right_on_last(), down = down_on_last();
    const int column = std::clamp(cursor % columns + right, 0, columns - 1);
    const int row = cursor / columns + down;
    const int to = row * columns + column;
    if (row >= 0 && to < count) cursor = to;
    return cursor;
}

}  // namespace vitrine
