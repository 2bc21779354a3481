#include "app/ui/widgets/cards.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/ui/probe.h"
#include "app/ui/theme.h"

namespace vitrine {
namespace {

Point cursor() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    return {at.x, at.y};
}

Point room_left() {
    const ImVec2 left = ImGui::GetContentRegionAvail();
    return {left.x, left.y};
}

/// Moves the cursor below the drawing, as an ordinary item does.
void advance(Point start, Point size) {
    ImGui::SetCursorScreenPos({start.x, start.y});
    ImGui::Dummy({std::max(0.0F, size.x), std::max(0.0F, size.y)});
}

Point tag_size(const Canvas& canvas, const Ui& ui, const std::string& words) {
    const Point text = canvas.measure(words, Font::mono);
    return {std::ceil(text.x) + 2 * ui.theme.px(8), text.y + 2 * ui.theme.px(4)};
}

float button_width(const Canvas& canvas, const Ui& ui, const std::string& words) {
    return std::ceil(canvas.measure(words, Font::strong).x) + 2 * ui.theme.px(20);
}

}  // namespace

Rect tag_figure(Canvas& canvas, const Ui& ui, Point centre, const TagFigure& tag) {
    const Point size = tag_size(canvas, ui, tag.words);
    const float x = std::round(centre.x - size.x / 2), y = std::round(centre.y - size.y / 2);
    const Rect box = {x, y, x + size.x, y + size.y};
    canvas.fill(box, ui.theme.palette.panel, ui.theme.px(5));
    canvas.fill(box, tag.color.with_alpha(0.12F), ui.theme.px(5));
    canvas.stroke(box, tag.color.with_alpha(0.55F), ui.theme.px(1), ui.theme.px(5));
    canvas.text({box.centre().x, box.y0 + ui.theme.px(4)}, tag.words,
                {Font::mono, ui.theme.palette.text, Align::centre});
    return box;
}

void tag(const Ui& ui, const std::string& id, const std::string& words, Color color) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point at = cursor(), size = tag_size(canvas, ui, words);
    tag_figure(canvas, ui, {at.x + size.x / 2, at.y + size.y / 2}, {words, color});
    ImGui::Dummy({size.x, size.y});
    ui.probe.mark_item(id, 0, words);
}

void paragraph(const Ui& ui, const RichText& text) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point at = cursor();
    const float width = std::max(1.0F, room_left().x);
    const float height = rich_text(canvas, ui, {at.x, at.y, at.x + width, at.y}, text);
    ImGui::Dummy({width, height});
}

void paragraph(const Ui& ui, const std::string& markup) { paragraph(ui, {markup, Font::body, ui.theme.palette.text}); }

CardClick empty_card(const Ui& ui, const Card& card) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Palette& p = ui.theme.palette;
    const Point at = cursor(), room = room_left();
    const float width = std::min(room.x, ui.theme.px(560)), gap = ui.theme.px(14);
    const RichText title = {card.title, Font::heading, p.text, Align::centre};
    const RichText words = {card.words, Font::body, p.muted, Align::centre};
    const float action = card.action.empty() ? 0 : ui.theme.px(36) + gap;
    const float height = measure_rich(canvas, title, width).y + gap + measure_rich(canvas, words, width).y + action;
    const float x = std::round(at.x + (room.x - width) / 2);
    float y = std::round(at.y + std::max(0.0F, room.y - height) / 2);
    const Rect all = {x, y, x + width, y + height};
    ui.probe.mark(card.id, all, 0, without_markup(card.title));
    y += rich_text(canvas, ui, {x, y, x + width, y}, title) + gap;
    y += rich_text(canvas, ui, {x, y, x + width, y}, words) + gap;

    bool pressed = false;
    if (!card.action.empty()) {
        const float wide = button_width(canvas, ui, card.action);
        ImGui::SetCursorScreenPos({std::round(x + (width - wide) / 2), y});
        pressed = button(ui, {card.id + ".action", card.action, "", ""}, {Emphasis::primary, std::nullopt, wide});
    }
    advance(at, {room.x, all.y1 - at.y});
    return pressed ? CardClick::action : CardClick::none;
}

CardClick error_card(const Ui& ui, const Card& card) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Palette& p = ui.theme.palette;
    const Point at = cursor();
    const float width = room_left().x, pad = ui.theme.px(14), icon = ui.theme.px(22), gap = ui.theme.px(8);
    const float close = card.dismiss.empty() ? 0 : ui.theme.px(36) + gap;
    const float left = at.x + pad + icon + pad, right = at.x + width - pad - close;
    const RichText title = {card.title, Font::strong, p.text}, words = {card.words, Font::body, p.text};
    const float text = measure_rich(canvas, title, right - left).y + measure_rich(canvas, words, right - left).y;
    const float action = card.action.empty() ? 0 : ui.theme.px(36) + gap;
    const Rect all = {at.x, at.y, at.x + width, at.y + 2 * pad + text + action};
    canvas.fill(all, p.panel, ui.theme.px(8));
    canvas.fill(all, p.danger.with_alpha(0.12F), ui.theme.px(8));
    canvas.stroke(all, p.danger, ui.theme.px(1), ui.theme.px(8));
    draw_icon(canvas, Icon::warning, {at.x + pad + icon / 2, at.y + pad + icon / 2}, icon, p.danger);
    ui.probe.mark(card.id, all, 0, without_markup(card.title + " " + card.words));

    float y = at.y + pad;
    y += rich_text(canvas, ui, {left, y, right, y}, title);
    y += rich_text(canvas, ui, {left, y, right, y}, words) + gap;
    CardClick click = CardClick::none;
    if (!card.action.empty()) {
        ImGui::SetCursorScreenPos({left, y});
        if (button(ui, {card.id + ".action", card.action, "", ""})) click = CardClick::action;
    }
    if (!card.dismiss.empty()) {
        ImGui::SetCursorScreenPos({all.x1 - gap - ui.theme.px(36), all.y0 + gap});
        if (icon_button(ui, {card.id + ".close", "", card.dismiss, ""}, Icon::close)) click = CardClick::dismissed;
    }
    advance(at, {width, all.height()});
    return click;
}

bool progress_bar(const Ui& ui, const Waiting& waiting) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Palette& p = ui.theme.palette;
    const Point at = cursor();
    const float width = room_left().x, gap = ui.theme.px(12), height = ui.theme.px(36);
    const float cancel = waiting.cancel.empty() ? 0 : button_width(canvas, ui, waiting.cancel);
    const float right = at.x + width - (cancel > 0 ? cancel + gap : 0), thickness = ui.theme.px(6);
    const float line = canvas.measure("", Font::caption).y;
    canvas.text({at.x, at.y}, fitted(canvas, waiting.words, Font::caption, right - at.x), {Font::caption, p.text});
    const float top = std::round(at.y + line + ui.theme.px(7));
    const Rect groove = {at.x, top, right, top + thickness};
    canvas.fill(groove, p.line, thickness / 2);

    // Unknown duration: a moving segment, which rests in the middle where animation is off.
    const float travel = waiting.moves ? static_cast<float>(std::fmod(ImGui::GetTime() * 0.6, 1.3)) - 0.3F : 0.35F;
    const float from = waiting.fraction < 0 ? std::max(0.0F, travel) : 0;
    const float to = waiting.fraction < 0 ? std::clamp(travel + 0.3F, 0.0F, 1.0F) : std::min(1.0F, waiting.fraction);
    canvas.fill({std::lerp(groove.x0, groove.x1, from), groove.y0, std::lerp(groove.x0, groove.x1, to), groove.y1},
                p.accent, thickness / 2);
    ui.probe.mark(waiting.id, groove, waiting.fraction, waiting.words);

    bool pressed = false;
    if (cancel > 0) {
        ImGui::SetCursorScreenPos({at.x + width - cancel, at.y});
        pressed = button(ui, {waiting.id + ".cancel", waiting.cancel, "", ""}, {Emphasis::plain, std::nullopt, cancel});
    }
    advance(at, {width, height});
    return pressed;
}

void begin_card(const Ui& ui, const char* id, Rect rect, Color ground) {
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32(ground.r, ground.g, ground.b, ground.a));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.theme.px(14), ui.theme.px(10)});
    begin_child({id, rect.width(), rect.height(), true, true, 0});
    ui.probe.mark(id, rect);
}

void end_card() {
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

}  // namespace vitrine
