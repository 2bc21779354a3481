#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <functional>

#include "app/platform/imgui_compat.h"
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

/// True if nothing is said at the pointer until the mouse moves.
bool pointer_rests(const Ui& ui) { return ui.keyboard != nullptr && ui.keyboard->pointer_rests(); }

/// A box at the pointer, filled by `draw`.
void pointer_box(const Ui& ui, const char* id, const std::string& words, const std::function<void()>& draw) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.theme.px(tip_corner));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.theme.px(12), ui.theme.px(10)});
    if (keyboard_leads(ui)) place_next_tooltip(ui.keyboard->anchor(), ui.theme.px(10));
    ImGui::BeginTooltip();
    draw();
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ui.probe.mark(id, {low.x, low.y, low.x + size.x, low.y + size.y}, 0, words);
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

/// Wrapped text at ImGui's cursor, as narrow as possible.
void tip_text(const Ui& ui, const RichText& text) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point size = measure_rich(canvas, text, ui.theme.px(380));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    rich_text(canvas, ui, {at.x, at.y, at.x + std::ceil(size.x) + 1, at.y + size.y}, text);
    ImGui::Dummy({std::ceil(size.x) + 1, size.y});
}

void key_cap(const Ui& ui, const std::string& key) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point size = canvas.measure(key, Font::mono);
    const float pad = ui.theme.px(8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect cap = {at.x, at.y, at.x + size.x + 2 * pad, at.y + size.y + pad};
    canvas.fill(cap, ui.theme.palette.raised, ui.theme.px(5));
    canvas.stroke(cap, ui.theme.palette.line, ui.theme.px(1), ui.theme.px(5));
    canvas.text({cap.centre().x, cap.centre().y - size.y / 2}, key, {Font::mono, ui.theme.palette.text, Align::centre});
    ImGui::Dummy({cap.width(), cap.height()});
}

}  // namespace

void tooltip(const Ui& ui, const std::string& words, const std::string& key) {
    if (words.empty() && key.empty()) return;
    const bool by_keys = keyboard_leads(ui);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (by_keys) {
        const bool here = ui.keyboard->on_last_at({low.x, low.y, high.x, high.y});
        if (!here || ui.keyboard->rested() < tip_delay) return;
    } else {
        if (pointer_rests(ui) || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
        // Of overlapping items, as in a window too narrow for its text, the one that a click would reach.
        const ImGuiID item = ImGui::GetItemID();
        if (item != 0 && ImGui::GetHoveredID() != item) return;
        const ImGuiContext& g = *ImGui::GetCurrentContext();
        if (g.HoveredIdTimer < tip_delay) return;
        // A clicked item's tooltip is hidden until the pointer returns.
        if (item != 0 && g.LastActiveId == item && g.LastActiveIdTimer < g.HoveredIdTimer) return;
    }
    if (!by_keys) place_next_tooltip_clear_of({low.x, low.y, high.x, high.y}, ui.theme.px(8));
    pointer_box(ui, "tooltip", words, [&] {
        tip_text(ui, {words, Font::caption, ui.theme.palette.text});
        if (!key.empty()) key_cap(ui, key);
    });
}

void readout(const Ui& ui, std::span<const std::string> lines) {
    if (pointer_rests(ui) && !keyboard_leads(ui)) return;
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + line;
    pointer_box(ui, "readout", without_markup(all), [&] { tip_text(ui, {all, Font::body, ui.theme.palette.text}); });
}

}  // namespace vitrine
