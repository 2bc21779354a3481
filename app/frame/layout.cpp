#include "app/frame/layout.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/lecture/reading_place.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/theme.h"

namespace vitrine {

namespace {

/// Quantises the type scale, so that resizing the window rarely rebuilds fonts.
float quantised(float scale) { return std::floor(scale * 10 + 0.001F) / 10; }

float gap_of(const Theme& theme) { return theme.px(10); }

}  // namespace

float stream_height(const AppContext& context) {
    const bool there = context.state.stream.on() && answers_of(context.state.room).work.run != nullptr;
    return there ? context.theme.px(54) + gap_of(context.theme) : 0;
}

Rect stream_place(const AppContext& context, const Layout& at) {
    const float gap = gap_of(context.theme), high = at.stage.y1 + gap;
    return {at.stage.x0, high, at.stage.x1, high + stream_height(context) - gap};
}

Rect notice_area(const AppContext& context, const Layout& at) {
    const auto notices = answers_of(context.state.room).around.notices;
    const float low = notices != nullptr && !context.state.lecture.on ? notices(at) : at.stage.y1;
    return {at.stage.x0, at.stage.y0, at.stage.x1, low};
}

float scale_of_window(int width, int height, float least) {
    const float fitting = std::min(static_cast<float>(width) / 1920, static_cast<float>(height) / 1080);
    return quantised(std::clamp(fitting, least, 4.0F));
}

bool shows_two(const AppContext& context) {
    return context.workspaces.other() != nullptr && answers_of(context.state.room).around.halves;
}

int fill_screen() {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    return ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
           ImGuiWindowFlags_NoBringToFrontOnFocus;
}

float type_factor(const AppContext& context) {
    if (!context.state.lecture.on) return 1;
    return reads_alone(context.state) || shows_two(context) ? reading_factor : lecture_factor;
}

Layout layout_of(const AppContext& context, Point size) {
    const Theme& theme = context.theme;
    const float t = context.state.lecture.slide, away = t * t * (3 - 2 * t);
    const float gap = gap_of(theme), top = theme.px(64), bottom = theme.px(132);
    // In a window narrow for its type, the stage gets a larger share. In a still narrower one, the map is hidden: three
    // columns would truncate their words. Two figures side by side need the map's place, too.
    const bool two = shows_two(context);
    const bool needs_map = answers_of(context.state.room).around.subject != nullptr;  // a text is typed there
    const bool without_map = size.x < theme.px(two && !needs_map ? 2000 : 1180);
    const float left = std::min(theme.px(280), size.x * 0.18F);
    const float right = std::min(theme.px(two ? 340 : 390), size.x * (without_map && !two ? 0.34F : 0.245F));
    Layout at;
    at.top = {0, -away * top, size.x, top - away * top};
    at.map = {gap - (without_map ? 1 : away) * (left + gap), top, 0, size.y - gap};
    at.map.x1 = at.map.x0 + left;
    at.explanation = {size.x - gap - right + away * (right + gap), top, 0, size.y - gap};
    at.explanation.x1 = at.explanation.x0 + right;
    const bool beside = reads_beside(context.state) || notes_beside(context.state);
    const float words = beside ? away * (reading_width(theme, size.x) + gap) : 0;
    const float low = size.y - gap - bottom + away * (bottom + gap);
    at.stage = {at.map.x1 + gap, std::max(gap, at.top.y1), at.explanation.x0 - gap - words,
                low - gap - away * theme.px(38)};
    at.stage.y1 -= stream_height(context);
    at.tokens = {at.stage.x0, low, at.stage.x1, low + bottom / 2};
    at.time = {at.stage.x0, at.tokens.y1, at.stage.x1, low + bottom};
    return at;
}

const std::vector<std::string>& window_parts() {
    static const std::vector<std::string> all = {"window", "stage", "explanation", "map", "tokens"};
    return all;
}

Rect rect_of(const std::string& part, const Layout& layout, Point size) {
    if (part == "stage") return layout.stage;
    if (part == "explanation") return layout.explanation;
    if (part == "map") return layout.map;
    if (part == "tokens") return layout.bottom();
    return {0, 0, size.x, size.y};
}

bool is_on_screen(const std::string& part, const Layout& layout, Point size) {
    return rect_of(part, layout, size).inset(1).overlaps({0, 0, size.x, size.y});
}

}  // namespace vitrine
