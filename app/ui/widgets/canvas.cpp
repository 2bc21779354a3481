#include "app/ui/widgets/canvas.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/ui/fonts.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/shortened.h"
#include "app/ui/widgets/texture_cache.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }

ImU32 packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

Rect on_pixels(Rect rect) {
    return {std::round(rect.x0), std::round(rect.y0), std::round(rect.x1), std::round(rect.y1)};
}

std::vector<ImVec2> vecs(std::span<const Point> points) {
    std::vector<ImVec2> out;
    out.reserve(points.size());
    for (const Point p : points) out.push_back(vec(p));
    return out;
}

/// The part of a rectangle that a draw list does not cut off.
Rect within_clip(const ImDrawList& list, Rect rect) {
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    return {std::max(rect.x0, low.x), std::max(rect.y0, low.y), std::min(rect.x1, high.x), std::min(rect.y1, high.y)};
}

/// Notes a figure, so that notices keep clear of it.
void see_figure(const Ui& ui, const ImDrawList& list, Rect rect) {
    if (ui.seen != nullptr) ui.seen->see_figure(within_clip(list, rect));
}

/// Average letter width of a sans-serif font, in line heights.
constexpr float average_advance = 0.46F;

std::size_t letters(const std::string& words) {
    return static_cast<std::size_t>(std::ranges::count_if(words, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Liang–Barsky clipping of a line to a rectangle; false if nothing is left.
bool clip_line(Rect rect, Point& from, Point& to) {
    const float dx = to.x - from.x, dy = to.y - from.y;
    float enter = 0, leave = 1;
    const auto side = [&](float direction, float room) {
        if (direction == 0) return room >= 0;
        const float t = room / direction;
        (direction < 0 ? enter : leave) = direction < 0 ? std::max(enter, t) : std::min(leave, t);
        return enter < leave;
    };
    if (!side(-dx, from.x - rect.x0) || !side(dx, rect.x1 - from.x)) return false;
    if (!side(-dy, from.y - rect.y0) || !side(dy, rect.y1 - from.y)) return false;
    const Point start = from;
    from = {start.x + enter * dx, start.y + enter * dy};
    to = {start.x + leave * dx, start.y + leave * dy};
    return true;
}

}  // namespace

Canvas* WindowCanvas::also() const { return ui_.also == nullptr || !recorded_ ? nullptr : *ui_.also; }

ControlCanvas::ControlCanvas(const Ui& ui) : WindowCanvas(ImGui::GetWindowDrawList(), ui, !ui.bare), hidden_(ui.bare) {
    if (hidden_) push_clip({});
}

ControlCanvas::~ControlCanvas() {
    if (hidden_) WindowCanvas::pop_clip();
}

void WindowCanvas::fill(Rect rect, Color color, float rounding) {
    if (Canvas* const other = also()) other->fill(rect, color, rounding);
    if (color.a > 0) see_figure(ui_, *list_, rect);
    list_->AddRectFilled({rect.x0, rect.y0}, {rect.x1, rect.y1}, packed(color), rounding);
}

void WindowCanvas::stroke(Rect rect, Color color, float thickness, float rounding) {
    if (Canvas* const other = also()) other->stroke(rect, color, thickness, rounding);
    list_->AddRect({rect.x0, rect.y0}, {rect.x1, rect.y1}, packed(color), rounding, 0, thickness);
}

void WindowCanvas::line(Point from, Point to, Color color, float thickness) {
    if (Canvas* const other = also()) other->line(from, to, color, thickness);
    list_->AddLine(vec(from), vec(to), packed(color), thickness);
}

void WindowCanvas::polyline(std::span<const Point> points, Color color, float thickness) {
    if (Canvas* const other = also()) other->polyline(points, color, thickness);
    if (!points.empty()) {
        const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
        const auto [high, low] = std::ranges::minmax(points, {}, &Point::y);
        see_figure(ui_, *list_, {left.x, high.y, right.x + thickness, low.y + thickness});
    }
    const std::vector<ImVec2> all = vecs(points);
    list_->AddPolyline(all.data(), static_cast<int>(all.size()), packed(color), 0, thickness);
}

void WindowCanvas::polygon(std::span<const Point> points, Color color) {
    if (Canvas* const other = also()) other->polygon(points, color);
    const std::vector<ImVec2> all = vecs(points);
    list_->AddConvexPolyFilled(all.data(), static_cast<int>(all.size()), packed(color));
}

void WindowCanvas::circle(Point centre, float radius, Color color) {
    if (Canvas* const other = also()) other->circle(centre, radius, color);
    list_->AddCircleFilled(vec(centre), radius, packed(color));
}

void WindowCanvas::ring(Point centre, float radius, Color color, float thickness) {
    if (Canvas* const other = also()) other->ring(centre, radius, color, thickness);
    list_->AddCircle(vec(centre), radius, packed(color), 0, thickness);
}

void WindowCanvas::text(Point at, const std::string& words, const TextStyle& style) {
    if (Canvas* const other = also()) other->text(at, words, style);
    const bool drawable = ui_.glyphs == nullptr || ui_.glyphs->see(words);
    ImFont* font = ui_.theme.font(style.font);
    if (!font || words.empty()) return;
    const bool noted = ui_.probe.on || ui_.seen != nullptr;
    const float width = style.align == Align::left && !noted ? 0 : measure(words, style.font).x * style.size;
    const float shift = style.align == Align::left ? 0 : style.align == Align::centre ? width / 2 : width;
    const ImVec2 corner = {std::round(at.x - shift), std::round(at.y)};
    const float size = font_size(style.font, ui_.theme.scale) * style.size;
    if (noted) {
        const Rect line{corner.x, corner.y, corner.x + width, corner.y + size};
        ui_.probe.mark_words(line, words);
        if (ui_.seen != nullptr) ui_.seen->see_words(within_clip(*list_, line), list_);
    }
    if (drawable) list_->AddText(font, size, corner, packed(style.color), words.c_str());
}

void WindowCanvas::heat_map(Rect rect, const HeatMap& map) {
    if (Canvas* const other = also()) other->heat_map(rect, map);
    rect = on_pixels(rect);
    see_figure(ui_, *list_, rect);
    const unsigned texture = ui_.textures.heat_map(map, ui_.theme.kind, {rect.width(), rect.height()});
    if (texture != 0) list_->AddImage(texture_id(texture), {rect.x0, rect.y0}, {rect.x1, rect.y1});
}

void WindowCanvas::picture(Rect rect, const Picture& picture) {
    if (Canvas* const other = also()) other->picture(rect, picture);
    if (!picture.image || picture.image->width == 0 || picture.image->height == 0) return;
    const auto width = static_cast<float>(picture.image->width), height = static_cast<float>(picture.image->height);
    const Rect crop = picture.crop.empty() ? Rect{0, 0, width, height} : picture.crop;
    const Point whole = {rect.width() * width / crop.width(), rect.height() * height / crop.height()};
    const unsigned texture = ui_.textures.picture(picture, whole);
    if (texture == 0) return;
    const Color tint = Color{255, 255, 255, 255}.with_alpha(picture.opacity);
    rect = on_pixels(rect);
    see_figure(ui_, *list_, rect);
    list_->AddImage(texture_id(texture), {rect.x0, rect.y0}, {rect.x1, rect.y1}, {crop.x0 / width, crop.y0 / height},
                    {crop.x1 / width, crop.y1 / height}, packed(tint));
}

void WindowCanvas::equation(Point at, float scale, const EquationInk& ink) {
    if (Canvas* const other = also()) other->equation(at, scale, ink);
    const EquationTexture drawn = ui_.textures.equation(ink, scale);
    if (drawn.id == 0) return;
    const Point low = {std::round(at.x), std::round(at.y)};
    const auto width = static_cast<float>(drawn.width), height = static_cast<float>(drawn.height);
    see_figure(ui_, *list_, {low.x, low.y, low.x + width, low.y + height});
    list_->AddImage(texture_id(drawn.id), vec(low), {low.x + width, low.y + height});
}

void WindowCanvas::push_clip(Rect rect) {
    if (Canvas* const other = also()) other->push_clip(rect);
    list_->PushClipRect({rect.x0, rect.y0}, {rect.x1, rect.y1}, true);
}

void WindowCanvas::pop_clip() {
    if (Canvas* const other = also()) other->pop_clip();
    list_->PopClipRect();
}

Point WindowCanvas::measure(const std::string& words, Font font) const { return measure_text(ui_.theme, words, font); }

void WindowCanvas::note_cut(const std::string& words) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ui_.probe.on) ui_.probe.mark("cut." + words, {at.x, at.y, at.x + 1, at.y + 1}, 0, words);
}

Point measure_text(const Theme& theme, const std::string& words, Font which) {
    const float size = font_size(which, theme.scale);
    if (ImFont* font = theme.font(which)) return {font->CalcTextSizeA(size, FLT_MAX, 0, words.c_str()).x, size};
    return {size * average_advance * static_cast<float>(letters(words)), size};
}

void hatch(Canvas& canvas, Rect rect, Color color, float spacing) {
    const float thickness = std::max(1.0F, spacing / 6);
    const float reach = rect.height();
    for (float x = rect.x0 - reach + spacing / 2; x < rect.x1; x += spacing) {
        Point from = {x, rect.y1}, to = {x + reach, rect.y0};
        if (clip_line(rect, from, to)) canvas.line(from, to, color, thickness);
    }
}

std::string fitted(const Canvas& canvas, const std::string& words, Font font, float width) {
    std::string told = shortened(words, [&](const std::string& some) { return canvas.measure(some, font).x <= width; });
    if (told != words) canvas.note_cut(words);
    return told;
}

}  // namespace vitrine
