#pragma once

#include <string>
#include <vector>

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;
struct State;

inline constexpr float lecture_factor = 1.5F;   // of type in a lecture: readable from the back of a hall
inline constexpr float reading_factor = 1.15F;  // where a lesson is gone through alone, at a desk
float type_factor(const State& state);

/// The size of type and controls in a window of this size, the user's own factor aside.
float scale_of_window(int width, int height, float least = 0.8F);

/// Where everything is in a window of this size.
Layout layout_of(const AppContext& context, Point size);

/// How high what was done is told under a stage of this width; 0 where nothing is, or a dialog tells it.
float notice_height(const AppContext& context, float width);
/// Where it is told: in the heading of the stage, so that nothing moves, or in the room that the stage leaves for more
/// words, where nothing is read or clicked.
Rect notice_place(const AppContext& context, const Layout& layout);

/// The parts of a window that can be taken as a picture: window, stage, explanation, map, tokens.
const std::vector<std::string>& window_parts();
Rect rect_of(const std::string& part, const Layout& layout, Point size);
bool is_on_screen(const std::string& part, const Layout& layout, Point size);  // a lecture slides some of them away

}  // namespace vitrine
