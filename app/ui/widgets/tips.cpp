#include "app/ui/widgets/tips.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {
namespace {

constexpr float tip_corner = 7, tip_delay = 0.4F;  // at 1080p; seconds

/// True if the keyboard is in use, rather than the mouse.
bool keyboard_leads(const Ui& ui) { return ui.keyboard != nullptr && ui.keyboard->leads(); }

/// True if the pointer has no tooltip until the mouse moves.
bool pointer_rests(const Ui& ui) { return ui.keyboard != nullptr && ui.keyboard->pointer_rests(); }

/// The part of the window that contains the current child.
Rect zone_of_current() {
    const ImGuiWindow* zone = ImGui::GetCurrentWindow();
    while (zone->ParentWindow != nullptr && (zone->Flags & ImGuiWindowFlags_ChildWindow) != 0 &&
           (zone->ParentWindow->Flags & ImGuiWindowFlags_ChildWindow) != 0)
        zone = zone->ParentWindow;
    return {zone->Pos.x, zone->Pos.y, zone->Pos.x + zone->Size.x, zone->Pos.y + zone->Size.y};
}

/// Adds a place, moved onto the screen, unless it would then cover what the tooltip is about. The first place is always
/// added.
void add_place(std::vector<Rect>& places, Point at, Point size, Rect about) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float x = std::max(0.0F, std::min(at.x, screen.x - size.x)),
                y = std::max(0.0F, std::min(at.y, screen.y - size.y));
    const Rect place{x, y, x + size.x, y + size.y};
    if (places.empty() || !place.overlaps(about)) places.push_back(place);
}

/// Three ways to align something of this length with the stretch from `low` to `high`: their beginnings, their ends and
/// their middles coincide. Each is given by its beginning.
std::array<float, 3> alignments(float low, float high, float length, bool end_first) {
    const float middle = (low + high - length) / 2;
    return end_first ? std::array{high - length, low, middle} : std::array{low, high - length, middle};
}

bool is_rightward(Rect beside) { return beside.x0 < ImGui::GetIO().DisplaySize.x * 0.6F; }
bool is_below(Rect beside) { return beside.y1 < ImGui::GetIO().DisplaySize.y * 0.7F; }

/// Places for a tooltip of this size on the screen, below and above a rectangle, the usual one first; none to its left
/// or right, where there may be a button.
std::vector<Rect> tooltip_places(Rect beside, Point size, float gap) {
    std::vector<Rect> places;
    const float below = beside.y1 + gap, above = beside.y0 - gap - size.y;
    for (const float y : is_below(beside) ? std::array{below, above} : std::array{above, below})
        for (const float x : alignments(beside.x0, beside.x1, size.x, !is_rightward(beside)))
            add_place(places, {x, y}, size, beside);
    return places;
}

/// The same, clear of a control and its row: beside a panel, below a bar at the top, above one at the bottom, below
/// and above the control elsewhere.
std::vector<Rect> tooltip_places_clear_of(Rect control, Point size, float gap) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const Rect zone = zone_of_current();
    std::vector<Rect> places;
    if (zone.width() < screen.x * 0.45F) {  // in a panel: beside it
        const float x = zone.centre().x <= screen.x / 2 ? zone.x1 + gap : zone.x0 - gap - size.x;
        for (const float y : alignments(control.y0, control.y1, size.y, control.y0 > screen.y * 0.7F))
            add_place(places, {x, y}, size, control);
        for (const float y : {control.y0 - gap - size.y, control.y1 + gap}) add_place(places, {x, y}, size, control);
        return places;
    }
    if (control.width() > screen.x * 0.2F) control.x0 = control.x1 = ImGui::GetIO().MousePos.x;
    const bool bar = zone.height() < screen.y * 0.25F;
    if (!bar) return tooltip_places(control, size, gap);
    const float title = zone.y0 < screen.y * 0.1F ? 7.5F * gap : 0;  // title row of a page below the bar
    const Rect row{control.x0, zone.y0, control.x1, zone.y1 + title};
    const float y = is_below(row) ? row.y1 + gap : row.y0 - gap - size.y;
    for (const float x : alignments(row.x0, row.x1, size.x, !is_rightward(row))) add_place(places, {x, y}, size, row);
    return places;
}

/// Places within the part of the window that a control is in, below and above it: no picture is covered.
std::vector<Rect> tooltip_places_in_zone(Rect control, Point size, float gap) {
    const Rect zone = zone_of_current();
    const float x = std::clamp(control.x0, zone.x0, std::max(zone.x0, zone.x1 - size.x));
    std::vector<Rect> places;
    for (const float y : {control.y1 + gap, control.y0 - gap - size.y}) add_place(places, {x, y}, size, control);
    return places;
}

/// Opens the next tooltip at the first of the places that cover the fewest words. Several texts share one tooltip; the
/// first of them determines its place.
void place_next_tooltip(const Ui& ui, const std::vector<Rect>& places) {
    const ImGuiWindow* const open = ImGui::FindWindowByName("##Tooltip_00");
    if (tip_is_drawn() || places.empty()) return;
    const void* const own = open == nullptr ? nullptr : open->DrawList;
    const auto covered = [&](const Rect& place) {
        return ui.keyboard == nullptr ? 0 : ui.keyboard->words_below(place, own);
    };
    const Rect best = *std::ranges::min_element(places, {}, covered);
    ImGui::SetNextWindowPos({best.x0, best.y0});
}

/// A tooltip or a readout: words in a box, with a key below them.
struct Tip {
    const char* id;
    std::string words;
    Font font;
    std::string key, told;  // for the probe
    float wide = 0;         // the words' greatest width in pixels; 0: the usual one
};

float key_pad(const Ui& ui) { return ui.theme.px(8); }

RichText text_of(const Ui& ui, const Tip& tip) { return {tip.words, tip.font, ui.theme.palette.text}; }

/// Size of a tip's words, wrapped to the usual width or narrower.
Point size_of_words(const Ui& ui, const Tip& tip) {
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float usual = ui.theme.px(380);
    const Point size = measure_rich(canvas, text_of(ui, tip), tip.wide > 0 ? tip.wide : usual);
    return {std::ceil(size.x) + 1, size.y};
}

void key_cap(const Ui& ui, const std::string& key) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point size = canvas.measure(key, Font::mono);
    const float pad = key_pad(ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect cap = {at.x, at.y, at.x + size.x + 2 * pad, at.y + size.y + pad};
    canvas.fill(cap, ui.theme.palette.raised, ui.theme.px(5));
    canvas.stroke(cap, ui.theme.palette.line, ui.theme.px(1), ui.theme.px(5));
    canvas.text({cap.centre().x, cap.centre().y - size.y / 2}, key, {Font::mono, ui.theme.palette.text, Align::centre});
    ImGui::Dummy({cap.width(), cap.height()});
}

/// Draws a tip at the place that covers the fewest words.
void draw_tip(const Ui& ui, const Tip& tip, const std::function<std::vector<Rect>(Point size)>& places) {
    const Point words = size_of_words(ui, tip), margin{ui.theme.px(12), ui.theme.px(10)};
    Point size{words.x + 2 * margin.x, words.y + 2 * margin.y};
    if (!tip.key.empty()) {
        const Point key = WindowCanvas(ImGui::GetWindowDrawList(), ui).measure(tip.key, Font::mono);
        size = {std::max(size.x, key.x + 2 * key_pad(ui) + 2 * margin.x),
                size.y + ImGui::GetStyle().ItemSpacing.y + key.y + key_pad(ui)};
    }
    place_next_tooltip(ui, places(size));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.theme.px(tip_corner));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin.x, margin.y});
    ImGui::BeginTooltip();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    rich_text(canvas, ui, {at.x, at.y, at.x + words.x, at.y + words.y}, text_of(ui, tip));
    ImGui::Dummy({words.x, words.y});
    if (!tip.key.empty()) key_cap(ui, tip.key);
    const ImVec2 low = ImGui::GetWindowPos(), all = ImGui::GetWindowSize();
    ui.probe.mark(tip.id, {low.x, low.y, low.x + all.x, low.y + all.y}, 0, tip.told);
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

}  // namespace

namespace {

/// True if the last item should show its tooltip now.
bool asks_for_tooltip(const Ui& ui) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (keyboard_leads(ui))
        return ui.keyboard->on_last_at({low.x, low.y, high.x, high.y}) && ui.keyboard->rested() >= tip_delay;
    if (pointer_rests(ui) || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
    // Of overlapping items, as in a window too narrow for its text, only the one that a click would reach.
    const ImGuiID item = ImGui::GetItemID();
    if (item != 0 && ImGui::GetHoveredID() != item) return false;
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.HoveredIdTimer < tip_delay) return false;
    // A clicked item's tooltip is hidden until the pointer returns.
    return item == 0 || g.LastActiveId != item || g.LastActiveIdTimer >= g.HoveredIdTimer;
}

}  // namespace

bool tip_is_drawn() {
    const ImGuiWindow* const open = ImGui::FindWindowByName("##Tooltip_00");
    return open != nullptr && open->LastFrameActive == ImGui::GetFrameCount();
}

void tooltip_in_zone(const Ui& ui, const std::string& words) {
    if (words.empty() || !asks_for_tooltip(ui)) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const Rect zone = zone_of_current();
    const float wide = std::clamp(zone.width() - 2 * ui.theme.px(14), ui.theme.px(120), ui.theme.px(380));
    draw_tip(ui, {"tooltip", words, Font::caption, {}, words, wide}, [&](Point size) {
        return tooltip_places_in_zone({low.x, low.y, high.x, high.y}, size, ui.theme.px(8));
    });
}

void tooltip(const Ui& ui, const std::string& words, const std::string& key) {
    if ((words.empty() && key.empty()) || !asks_for_tooltip(ui)) return;
    const bool by_keys = keyboard_leads(ui);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float gap = ui.theme.px(by_keys ? 10 : 8);
    draw_tip(ui, {"tooltip", words, Font::caption, key, words}, [&](Point size) {
        return by_keys ? tooltip_places(ui.keyboard->anchor(), size, gap)
                       : tooltip_places_clear_of({low.x, low.y, high.x, high.y}, size, gap);
    });
}

void readout(const Ui& ui, std::span<const std::string> lines) {
    const bool by_keys = keyboard_leads(ui);
    if (pointer_rests(ui) && !by_keys) return;
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + line;
    draw_tip(ui, {"readout", all, Font::body, {}, without_markup(all)}, [&](Point size) {
        if (by_keys) return tooltip_places(ui.keyboard->anchor(), size, ui.theme.px(10));
        const ImVec2 at = ImGui::GetMousePos();
        const float wide = ui.theme.px(16), high = ui.theme.px(10);  // beside the arrow of the pointer
        std::vector<Rect> places;
        for (const float y : {at.y + high, at.y - high - size.y})
            for (const float x : {at.x + wide, at.x - wide - size.x, at.x - size.x / 2})
                places.push_back({x, y, x + size.x, y + size.y});
        for (const float x : {at.x + wide, at.x - wide - size.x})
            places.push_back({x, at.y - size.y / 2, x + size.x, at.y + size.y / 2});
        const ImVec2 screen = ImGui::GetIO().DisplaySize;
        std::erase_if(places,
                      [&](const Rect& p) { return p.x0 < 0 || p.y0 < 0 || p.x1 > screen.x || p.y1 > screen.y; });
        return places;
    });
}

}  // namespace vitrine
