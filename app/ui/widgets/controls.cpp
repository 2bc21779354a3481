#include "app/ui/widgets/controls.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/platform/imgui_compat.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {
namespace {

constexpr float control_height = 36, small_height = 32, icon_size = 16, corner = 7;

Rect item_rect() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x, high.y};
}

Color between_colors(Color from, Color to, float t) {
    const auto channel = [t](int a, int b) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * t)); };
    return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b), channel(from.a, to.a)};
}

struct Press {
    Rect rect;
    bool clicked = false, hovered = false, held = false;
};

/// The interactive part of a control; its appearance is drawn over it.
Press press(const Ui& ui, const Control& control, Point size, double value) {
    ImGui::BeginDisabled(!control.enabled);
    Press press;
    press.clicked = ImGui::InvisibleButton(control.id.c_str(), {size.x, size.y});
    ImGui::EndDisabled();
    press.rect = item_rect();
    press.hovered = control.enabled && ImGui::IsItemHovered();
    press.held = ImGui::IsItemActive();
    if (ui.keyboard != nullptr) {
        ui.keyboard->announce(control.id, press.rect, control.enabled);
        press.clicked = press.clicked || ui.keyboard->pressed_last();
    }
    ui.probe.mark_item(control.id, value, control.words);
    tooltip(ui, control.tip, control.key);
    return press;
}

float wanted_width(float asked, float needed) {
    return asked == 0 ? needed : asked > 0 ? asked : std::max(1.0F, ImGui::GetContentRegionAvail().x);
}

/// Background and foreground colour of a control.
struct Tone {
    Color ground, ink;
};

Tone tone_of(const Ui& ui, const Control& control, Emphasis emphasis, const Press& press) {
    const Palette& p = ui.theme.palette;
    const float touch = press.held ? 0.24F : press.hovered ? 0.12F : 0;
    Tone tone = {between_colors(p.raised, p.text, touch), p.text};
    if (emphasis == Emphasis::quiet) tone.ground = p.text.with_alpha(touch);
    if (emphasis == Emphasis::primary) tone = {between_colors(p.accent, p.on_accent, touch), p.on_accent};
    if (control.enabled) return tone;
    return {emphasis == Emphasis::quiet ? p.raised.with_alpha(0) : p.raised.with_alpha(0.5F), p.muted.with_alpha(0.6F)};
}

void draw_words_in(Canvas& canvas, Rect rect, const std::string& words, const TextStyle& style) {
    const std::string shown = fitted(canvas, words, style.font, rect.width());
    const float x = style.align == Align::left ? rect.x0 : style.align == Align::centre ? rect.centre().x : rect.x1;
    canvas.text({x, rect.centre().y - canvas.measure("", style.font).y / 2}, shown, style);
}

void strike(Canvas& canvas, const Ui& ui, Rect rect, Color color) {
    const float y = std::round(rect.centre().y + ui.theme.px(1));
    canvas.line({rect.x0, y}, {rect.x1, y}, color, ui.theme.px(2));
}

void draw_track(Canvas& canvas, const Ui& ui, Rect room, float part) {
    const Palette& p = ui.theme.palette;
    const float radius = ui.theme.px(9), thickness = ui.theme.px(4), y = std::round(room.centre().y);
    const float x = std::lerp(room.x0 + radius, room.x1 - radius, part);
    canvas.fill({room.x0, y - thickness / 2, room.x1, y + thickness / 2}, p.line, thickness / 2);
    canvas.fill({room.x0, y - thickness / 2, x, y + thickness / 2}, p.accent, thickness / 2);
    const bool touched = ImGui::IsItemHovered() || ImGui::IsItemActive();
    canvas.circle({x, y}, touched ? radius + ui.theme.px(1) : radius, p.accent);
    canvas.circle({x, y}, ui.theme.px(4), p.panel);
}

/// ImGui's own slider, invisible: for mouse, keyboard and gamepad input.
bool bare_slider(const Ui& ui, const Control& control, const SliderRange& range, float& value) {
    const ImVec4 none = {0, 0, 0, 0};
    constexpr ImGuiCol hidden[] = {ImGuiCol_Text,          ImGuiCol_FrameBg,    ImGuiCol_FrameBgHovered,
                                   ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive};
    for (const ImGuiCol color : hidden) ImGui::PushStyleColor(color, none);
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, ui.theme.px(18));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ui.theme.px(5)});
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    ImGui::BeginDisabled(!control.enabled);
    const std::string label = "##" + control.id;
    constexpr ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat;
    const bool changed = ImGui::SliderFloat(label.c_str(), &value, range.low, range.high, "%.3f", flags);
    ImGui::EndDisabled();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(static_cast<int>(std::size(hidden)));
    return changed;
}

/// Moves a focused slider by the arrow keys: by its step, or a twentieth of its range; true if a key was pressed.
bool nudged(const Ui& ui, const Control& control, const SliderRange& range, float& value) {
    if (ui.keyboard == nullptr) return false;
    ui.keyboard->announce(control.id, item_rect(), control.enabled);
    const int by = ui.keyboard->right_on_last();
    if (by == 0) return false;
    constexpr float steps = 20;
    const float step = range.step > 0 ? range.step : (range.high - range.low) / steps;
    value = std::clamp(value + static_cast<float>(by) * step, range.low, range.high);
    return true;
}

void draw_chip(Canvas& canvas, const Ui& ui, Rect all, const Control& control, const ChipState& state) {
    const Palette& p = ui.theme.palette;
    const float rounding = ui.theme.px(corner);
    const bool filled = state.selected && state.filled;
    const Color ground = filled ? p.accent : state.selected ? between_colors(p.raised, state.color, 0.28F) : p.raised;
    canvas.fill(all, ImGui::IsItemHovered() ? between_colors(ground, p.text, 0.10F) : ground, rounding);
    if (state.off) hatch(canvas, all.inset(ui.theme.px(2)), p.muted.with_alpha(0.2F), ui.theme.px(9));
    const float bar = ui.theme.px(4), inset = ui.theme.px(7);
    const Color mark = filled ? p.on_accent : state.off ? p.muted : state.color;
    canvas.fill({all.x0 + inset, all.y0 + inset, all.x0 + inset + bar, all.y1 - inset}, mark, bar / 2);
    if (state.selected && !filled) canvas.stroke(all, state.color, ui.theme.px(2), rounding);

    const float right = state.can_switch ? ui.theme.px(28) : ui.theme.px(12);
    const Rect room = {all.x0 + inset + bar + ui.theme.px(8), all.y0, all.x1 - right, all.y1};
    const Font font = state.selected ? Font::strong : Font::body;
    const Color ink = filled             ? p.on_accent
                      : !control.enabled ? p.muted
                                         : p.text;  // what is off is struck through and hatched
    draw_words_in(canvas, room, control.words, {font, ink});
    const float width = std::min(room.width(), canvas.measure(control.words, font).x);
    if (state.off) strike(canvas, ui, {room.x0, room.y0, room.x0 + width, room.y1}, ink);
}

/// A chip in a bare figure: only its words, struck through if it is off.
void draw_chip_name(const Ui& ui, Rect all, const Control& control, bool off) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Palette& p = ui.theme.palette;
    draw_words_in(canvas, all, control.words, {Font::body, off ? p.muted : p.text});
    const float width = std::min(all.width(), canvas.measure(control.words, Font::body).x);
    if (off) strike(canvas, ui, {all.x0, all.y0, all.x0 + width, all.y1}, p.muted);
}

bool chip_switch(Canvas& canvas, const Ui& ui, const Control& control, const ChipState& state) {
    const bool off = state.off;
    Control part = control;
    if (!state.switch_tip.empty()) part.tip = state.switch_tip;
    part.id += ".switch";
    part.words = off ? "off" : "on";
    const Press touch = press(ui, part, {ui.theme.px(28), ui.theme.px(small_height)}, off ? 0 : 1);
    const Palette& p = ui.theme.palette;
    const bool filled = state.selected && state.filled;
    const Color ink = filled ? p.on_accent : touch.hovered ? (off ? p.text : p.danger) : p.muted;
    draw_power(canvas, touch.rect.centre(), ui.theme.px(12), ink);
    focus_ring(ui, canvas, touch.rect, ui.theme.px(corner));
    return touch.clicked;
}

/// Words on as many lines as they need, never in a smaller font, so that the switches of a list look alike.
struct WrappedWords {
    RichText words;
    float room;
    Point size;
};
WrappedWords on_lines(const Canvas& canvas, const std::string& words, float room) {
    const RichText text{words, Font::body, {}, Align::left};
    const Point size = measure_rich(canvas, text, room);
    return {text, room, {std::ceil(size.x), size.y}};
}
void draw_wrapped(Canvas& canvas, const Ui& ui, Point at, WrappedWords wrapped, Color ink) {
    wrapped.words.color = ink;
    rich_text(canvas, ui, {at.x, at.y, at.x + wrapped.room + 1, at.y + wrapped.size.y}, wrapped.words);
}

/// The nearest enabled choice beside `from`, or `from` if there is none.
int next_enabled(std::span<const Control> choices, int from, int by) {
    for (int i = from + by; i >= 0 && i < static_cast<int>(choices.size()); i += by)
        if (choices[static_cast<std::size_t>(i)].enabled) return i;
    return from;
}

/// Widths in pixels of choices side by side, of the groups' names before them (0: none, or no room) and of the gaps
/// between groups.
struct Segments {
    std::span<const Control> choices;
    std::vector<float> widths, names;
    float gap;
};

Segments lay_out_segments(Canvas& canvas, const Ui& ui, std::span<const Control> choices) {
    const float room = ImGui::GetContentRegionAvail().x, sides = 2 * static_cast<float>(choices.size());
    Segments segments{choices, {}, {}, ui.theme.px(14)};
    float words = 0, names = 0;
    for (const Control& choice : choices) {
        const float widest =
            std::max(canvas.measure(choice.words, Font::strong).x, canvas.measure(choice.room_for, Font::strong).x);
        segments.widths.push_back(std::ceil(widest));
        const bool named = !choice.group.empty();
        segments.names.push_back(named ? std::ceil(canvas.measure(choice.group, Font::caption).x) + ui.theme.px(8) : 0);
        words += segments.widths.back() + (named ? segments.gap : 0);
        names += segments.names.back();
    }
    if (words + names + sides * ui.theme.px(8) <= room)
        words += names;
    else
        std::ranges::fill(segments.names, 0.0F);
    const float pad = std::floor(std::clamp((room - words) / sides, ui.theme.px(4), ui.theme.px(14)));
    for (float& width : segments.widths) width += 2 * pad;
    return segments;
}

/// Draws the name of the group that begins with choice `first`, and its background; moves ImGui's cursor to the choice.
void begin_segments(Canvas& canvas, const Ui& ui, const Segments& segments, std::size_t first) {
    const std::span<const Control> choices = segments.choices;
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ui.theme.px(control_height), name = segments.names[first];
    if (name > 0) {
        const Rect place{at.x, at.y, at.x + name, at.y + height};
        draw_words_in(canvas, place, choices[first].group, {Font::caption, ui.theme.palette.muted, Align::left});
        ui.probe.mark(choices[first].id + ".group", place, 0, choices[first].group);
    }
    at.x += name;
    ImGui::SetCursorScreenPos(at);
    float width = segments.widths[first];
    for (std::size_t i = first + 1; i < choices.size() && choices[i].group.empty(); ++i) width += segments.widths[i];
    canvas.fill({at.x, at.y, at.x + width, at.y + height}, ui.theme.palette.raised, ui.theme.px(corner));
}

}  // namespace

void draw_power(Canvas& canvas, Point centre, float size, Color color) {
    constexpr int segments = 20;
    constexpr float begin = 0.9F, end = 2 * std::numbers::pi_v<float> - begin;  // radians clockwise from the top
    const float radius = size / 2, thickness = std::max(1.0F, size / 7);
    Point last{};
    for (int i = 0; i <= segments; ++i) {
        const float angle = begin + (end - begin) * static_cast<float>(i) / segments;
        const Point at{centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)};
        if (i > 0) canvas.line(last, at, color, thickness);
        last = at;
    }
    canvas.line({centre.x, centre.y - 1.15F * radius}, {centre.x, centre.y}, color, thickness);
}

bool button(const Ui& ui, const Control& control, const ButtonLook& look) {
    ControlCanvas canvas(ui);
    const Font font = look.emphasis == Emphasis::primary ? Font::strong : Font::body;
    const float icon = look.icon ? ui.theme.px(icon_size) : 0, pad = ui.theme.px(14);
    const float gap = look.icon && !control.words.empty() ? ui.theme.px(8) : 0;
    const float words = std::ceil(canvas.measure(control.words, font).x);
    const float width = wanted_width(look.width, icon + gap + words + 2 * pad);
    const Press touch = press(ui, control, {width, ui.theme.px(control_height)}, look.emphasis == Emphasis::primary);
    const Tone tone = tone_of(ui, control, look.emphasis, touch);
    canvas.fill(touch.rect, tone.ground, ui.theme.px(corner));

    const float shown = std::min(words, touch.rect.width() - 2 * pad - icon - gap);
    const float start = look.row ? touch.rect.x0 + pad : std::round(touch.rect.centre().x - (icon + gap + shown) / 2);
    if (look.icon) draw_icon(canvas, *look.icon, {start + icon / 2, touch.rect.centre().y}, icon, tone.ink);
    draw_words_in(canvas, {start + icon + gap, touch.rect.y0, start + icon + gap + shown + 1, touch.rect.y1},
                  control.words, {font, tone.ink});
    const float behind = start + icon + gap + shown + pad, left = touch.rect.x1 - pad - behind;
    if (!look.aside.empty() && left > ui.theme.px(40))
        draw_words_in(canvas, {behind, touch.rect.y0, behind + left, touch.rect.y1}, look.aside,
                      {Font::body, ui.theme.palette.muted});
    focus_ring(ui, canvas, touch.rect, ui.theme.px(corner));
    return touch.clicked;
}

bool icon_button(const Ui& ui, const Control& control, Icon icon, Emphasis emphasis) {
    ControlCanvas canvas(ui);
    const float side = ui.theme.px(control_height);
    const Press touch = press(ui, control, {side, side}, 0);
    const Tone tone = tone_of(ui, control, emphasis, touch);
    canvas.fill(touch.rect, tone.ground, ui.theme.px(corner));
    draw_icon(canvas, icon, touch.rect.centre(), ui.theme.px(icon_size), tone.ink);
    focus_ring(ui, canvas, touch.rect, ui.theme.px(corner));
    return touch.clicked;
}

bool toggle(const Ui& ui, const Control& control, bool& on, float most) {
    ControlCanvas canvas(ui);
    const Palette& p = ui.theme.palette;
    const float width = ui.theme.px(40), height = ui.theme.px(22), gap = ui.theme.px(10);
    const float room = (most > 0 ? most : ImGui::GetContentRegionAvail().x) - width - gap;
    const WrappedWords words = on_lines(canvas, control.words, std::max(room, ui.theme.px(40)));
    const Point size{width + gap + words.size.x, std::max(ui.theme.px(small_height), words.size.y)};
    const Press touch = press(ui, control, size, on ? 1 : 0);
    if (touch.clicked) on = !on;

    const float top = std::round(touch.rect.centre().y - height / 2), radius = height / 2;
    const Rect track = {touch.rect.x0, top, touch.rect.x0 + width, top + height};
    canvas.fill(track, on ? p.accent : p.line, radius);
    canvas.stroke(track, on ? p.accent : p.muted, ui.theme.px(1), radius);
    const float knob = on ? track.x1 - radius : track.x0 + radius;
    canvas.circle({knob, track.centre().y}, radius - ui.theme.px(4), on ? p.on_accent : p.muted);
    const Color ink = control.enabled ? p.text : p.muted;
    draw_wrapped(canvas, ui, {track.x1 + gap, touch.rect.centre().y - words.size.y / 2}, words, ink);
    focus_ring(ui, canvas, touch.rect, ui.theme.px(corner));
    return touch.clicked;
}

bool segmented(const Ui& ui, std::span<const Control> choices, int& chosen) {
    ControlCanvas canvas(ui);
    const Palette& p = ui.theme.palette;
    const float height = ui.theme.px(control_height), rounding = ui.theme.px(corner);
    const Segments segments = lay_out_segments(canvas, ui, choices);

    int wanted = chosen;
    std::optional<int> moved;  // target of the arrow keys
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool holds = chosen == static_cast<int>(i), begins = i == 0 || !choices[i].group.empty();
        if (i > 0) ImGui::SameLine(0, begins ? segments.gap : 0);
        if (begins) begin_segments(canvas, ui, segments, i);
        const Press touch = press(ui, choices[i], {segments.widths[i], height}, holds ? 1 : 0);
        const Rect inside = touch.rect.inset(ui.theme.px(3));
        if (holds)
            canvas.fill(inside, p.accent, rounding - ui.theme.px(2));
        else if (touch.hovered)
            canvas.fill(inside, p.line, rounding - ui.theme.px(2));
        const Color ink = !choices[i].enabled ? p.muted : holds ? p.on_accent : p.text;
        draw_words_in(canvas, inside, choices[i].words, {holds ? Font::strong : Font::body, ink, Align::centre});
        focus_ring(ui, canvas, touch.rect, rounding);
        const int by = ui.keyboard != nullptr ? ui.keyboard->right_on_last() : 0;
        if (by != 0) wanted = next_enabled(choices, static_cast<int>(i), by);
        if (touch.clicked) wanted = static_cast<int>(i);
        if (by != 0) moved = wanted;
    }
    if (moved) ui.keyboard->go_to(choices[static_cast<std::size_t>(*moved)].id);
    return std::exchange(chosen, wanted) != wanted;
}

ChipClick chip(const Ui& ui, const Control& control, const ChipState& state) {
    std::optional<ControlCanvas> drawn(std::in_place, ui);
    ControlCanvas& canvas = *drawn;
    const float side = state.can_switch ? ui.theme.px(28) : 0;
    const float ends = ui.theme.px(7 + 4 + 8) + (state.can_switch ? side : ui.theme.px(12));
    const float needed = std::ceil(canvas.measure(control.words, Font::strong).x) + ends + 1;
    const float width = std::max(wanted_width(state.width, needed), side + ui.theme.px(28));
    const Press touch = press(ui, control, {width - side, ui.theme.px(small_height)}, state.off ? 0 : 1);
    const Rect all = {touch.rect.x0, touch.rect.y0, touch.rect.x0 + width, touch.rect.y1};
    draw_chip(canvas, ui, all, control, state);
    focus_ring(ui, canvas, touch.rect, ui.theme.px(corner));
    bool switched = false;
    if (state.can_switch) {
        ImGui::SameLine(0, 0);
        switched = chip_switch(canvas, ui, control, state);
    }
    drawn.reset();
    if (ui.bare) draw_chip_name(ui, all, control, state.off);
    return switched ? ChipClick::switched : touch.clicked ? ChipClick::chosen : ChipClick::none;
}

bool slider(const Ui& ui, const Control& control, const SliderRange& range, float& value) {
    ControlCanvas canvas(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = canvas.measure("", Font::body).y;
    ImGui::SetCursorScreenPos({at.x, at.y + line});
    bool changed = bare_slider(ui, control, range, value);
    const std::string words = range.words ? range.words(value) : number_text(value);
    ui.probe.mark_item(control.id, value, words);
    tooltip(ui, control.tip, control.key);
    const Rect room = item_rect();
    changed = nudged(ui, control, range, value) || changed;
    const float part = range.high > range.low ? (value - range.low) / (range.high - range.low) : 0;
    draw_track(canvas, ui, room, std::clamp(part, 0.0F, 1.0F));
    focus_ring(ui, canvas, room, ui.theme.px(corner));

    const Palette& p = ui.theme.palette;
    const float number = canvas.measure(words, Font::mono).x;
    draw_words_in(canvas, {at.x, at.y, at.x + width - number - ui.theme.px(8), at.y + line}, control.words,
                  {Font::body, control.enabled ? p.text : p.muted});
    draw_words_in(canvas, {at.x + width - number - 1, at.y, at.x + width, at.y + line}, words,
                  {Font::mono, p.muted, Align::right});
    return changed;
}

bool section(const Ui& ui, const Control& control, bool& open) {
    ControlCanvas canvas(ui);
    const Palette& p = ui.theme.palette;
    const float width = wanted_width(-1, 0);
    const Press touch = press(ui, control, {width, ui.theme.px(small_height)}, open ? 1 : 0);
    if (touch.clicked) open = !open;
    if (touch.hovered) canvas.fill(touch.rect, p.raised, ui.theme.px(corner));
    const float arrow = ui.theme.px(12), gap = ui.theme.px(10);
    draw_icon(canvas, open ? Icon::down : Icon::right, {touch.rect.x0 + gap, touch.rect.centre().y}, arrow, p.muted);
    draw_words_in(canvas, {touch.rect.x0 + 2 * gap + ui.theme.px(2), touch.rect.y0, touch.rect.x1, touch.rect.y1},
                  control.words, {Font::strong, p.text});
    focus_ring(ui, canvas, touch.rect, ui.theme.px(corner));
    return open;
}

void focus_of_text_field(const Ui& ui, Canvas& canvas, const std::string& id) {
    if (ui.keyboard == nullptr) return;
    ui.keyboard->announce(id, item_rect());
    if (ui.keyboard->on_last() && ui.keyboard->leads() && !ImGui::IsItemActive()) focus_last_text_field();
    if (!ui.keyboard->on_last() && ui.keyboard->leads() && ImGui::IsItemActive()) ImGui::ClearActiveID();
    if (!ui.keyboard->leads() && ImGui::IsItemActive()) ui.keyboard->type_in(id);
    focus_ring(ui, canvas, item_rect(), ui.theme.px(corner));
}

void heading(const Ui& ui, const std::string& words) {
    ImGui::PushFont(ui.theme.font(Font::strong));
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopFont();
}

void focus_ring(const Ui& ui, Canvas& canvas, Rect rect, float rounding) {
    if (ui.keyboard == nullptr || !ui.keyboard->on_last()) return;
    const float out = ui.theme.px(3);
    canvas.stroke(rect.inset(-out), ui.theme.palette.panel, ui.theme.px(5), rounding > 0 ? rounding + out : 0);
    canvas.stroke(rect.inset(-out), ui.theme.palette.accent, ui.theme.px(3), rounding > 0 ? rounding + out : 0);
    ui.probe.mark("focus", rect, 0, ui.keyboard->focused());
}

}  // namespace vitrine
