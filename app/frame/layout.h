#pragma once

#include <string>
#include <vector>

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

inline constexpr float lecture_factor = 1.5F;  // scale of type in a lecture, readable from the back row
inline constexpr float reading_factor =
    1.15F;  // for reading a lesson alone at a desk, and for two figures side by side
float type_factor(const AppContext& context);
/// Whether the room in view draws two workspaces side by side.
bool shows_two(const AppContext& context);

/// Scale of type and controls for a window size, without the user's own factor.
float scale_of_window(int width, int height, float least = 0.8F);

/// Layout of a window of this size.
Layout layout_of(const AppContext& context, Point size);

/// Places ImGui's next window over the whole screen, behind all others; returns its flags.
int fill_screen();

/// Height of the strip of a stream below the stage; 0 if there is none.
float stream_height(const AppContext& context);
/// Place of that strip.
Rect stream_place(const AppContext& context, const Layout& layout);
/// The area for a notice that has no room beside the stage's title: over the stage, whose figure keeps its size.
Rect notice_area(const AppContext& context, const Layout& layout);

/// Parts of a window that can be exported as a picture: window, stage, explanation, map, tokens.
const std::vector<std::string>& window_parts();
Rect rect_of(const std::string& part, const Layout& layout, Point size);
bool is_on_screen(const std::string& part, const Layout& layout, Point size);  // a lecture hides some of them

}  // namespace vitrine
