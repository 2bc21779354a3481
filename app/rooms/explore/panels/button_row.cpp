#include "app/rooms/explore/panels/button_row.h"

#include <imgui.h>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

namespace {

constexpr float row_height = 34, gap = 8, space_below = 10;  // px at scale 1

}  // namespace

ButtonRow::ButtonRow(const Ui& ui, Rect area) : ui_(ui), area_(area), at_{area.x0, area.y0} {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    cursor_before_ = {at.x, at.y};
}

ButtonRow::~ButtonRow() { ImGui::SetCursorScreenPos({cursor_before_.x, cursor_before_.y}); }

void ButtonRow::make_room(float width) {
    if (at_.x == area_.x0 || at_.x + width <= area_.x1) return;
    at_ = {area_.x0, at_.y + ui_.theme.px(row_height + gap)};
}

void ButtonRow::words(const std::string& words, Color color) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui_);
    const Point size = canvas.measure(words, Font::body);
    make_room(size.x);
    canvas.text({at_.x, at_.y + (ui_.theme.px(row_height) - size.y) / 2}, words, {Font::body, color, Align::left});
    at_.x += size.x + ui_.theme.px(gap);
}

bool ButtonRow::press(const Control& control, const ButtonLook& look) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui_);
    constexpr float padding = 28;  // of a button, left and right together, px at scale 1
    bool pressed = false;
    place(canvas.measure(control.words, Font::body).x + ui_.theme.px(padding),
          [&] { pressed = button(ui_, control, look); });
    return pressed;
}
bool ButtonRow::press(const Control& control) { return press(control, {}); }

void ButtonRow::place(float width, const std::function<void()>& draw) {
    make_room(width);
    ImGui::SetCursorScreenPos({at_.x, at_.y});
    draw();
    at_.x = ImGui::GetItemRectMax().x + ui_.theme.px(gap);
}

float ButtonRow::height() const { return at_.y - area_.y0 + ui_.theme.px(row_height + space_below); }

}  // namespace vitrine
