#include "app/dialogs/finder.h"

#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

constexpr float row_height = 36;

/// Draws a result: name on the left; room, the part of it, kind and shortcut on the right. True if pressed.
bool find_row(const Ui& ui, const FindEntry& entry, int place, bool chosen) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    constexpr float most_beside = 0.55F;  // of the row
    const std::string kind =
        fitted(canvas,
               (entry.room.empty() ? "" : ui.text("top.mode." + entry.room) + " · ") +
                   (entry.within.empty() ? "" : entry.within + " · ") + ui.text("find.kind." + entry.kind) +
                   (entry.key.empty() ? "" : "   " + entry.key),
               Font::caption, width * most_beside);
    const float beside = canvas.measure(kind, Font::caption).x + theme.px(28);
    const std::string words = fitted(canvas, entry.words, Font::body, width - beside - theme.px(28));
    const bool pressed = button(ui, {"find.row." + std::to_string(place), words, {}, chosen ? "Enter" : ""},
                                {chosen ? Emphasis::plain : Emphasis::quiet, {}, -1, true});
    canvas.text({at.x + width - theme.px(14), at.y + theme.px(9)}, kind,
                {Font::caption, theme.palette.muted, Align::right});
    return pressed;
}

}  // namespace

void Finder::search(const Frame& frame, const std::string& typed) {
    FindStamp stamp = find_stamp(frame);
    const bool changed = stamp_ != stamp;
    if (changed) {
        stamp_ = std::move(stamp);
        entries_ = find_entries(frame);
        index_ = index_of(entries_);
    }
    if (!changed && typed == typed_) return;
    typed_ = typed;
    found_ = index_.find(typed);
    frame.panel.drafts.find_chosen = 0;
}

void Finder::draw_rows(const Frame& frame, const AppContext& context, bool entered) {
    const Ui& ui = frame.ui;
    const int room = static_cast<int>(ImGui::GetContentRegionAvail().y / ui.theme.px(row_height));
    std::vector<const FindEntry*> shown;
    for (const std::size_t i : found_) {
        if (static_cast<int>(shown.size()) >= room) break;
        const FindEntry& entry = entries_[i];
        if (entry.row == nullptr || can_do(*entry.row, context)) shown.push_back(&entry);
    }
    const int last = static_cast<int>(shown.size()) - 1;
    int& chosen = frame.panel.drafts.find_chosen;
    chosen += (key_pressed(Key::down, true) ? 1 : 0) - (key_pressed(Key::up, true) ? 1 : 0);
    chosen = std::clamp(chosen, 0, std::max(0, last));
    const auto choose = [&](const FindEntry& entry) {
        frame.commands().add(command::ShowDialog{});
        for (const Command& command : commands_of(entry, frame)) frame.commands().add(command);
    };
    if (shown.empty()) empty_card(ui, {"find.none", ui.text("find.none"), ui.text("find.none_words"), {}, {}});
    for (int i = 0; i <= last; ++i)
        if (find_row(ui, *shown[static_cast<std::size_t>(i)], i, i == chosen))
            choose(*shown[static_cast<std::size_t>(i)]);
    const bool elsewhere = ui.keyboard != nullptr && ui.keyboard->visible() && ui.keyboard->focused() != "find.input";
    if (entered && !elsewhere && !shown.empty()) choose(*shown[static_cast<std::size_t>(chosen)]);
}

void Finder::draw(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.find", ui.text("find.title"), 760, 600}, frame.commands());
    auto& typed = frame.panel.drafts.find_text;
    if (!ImGui::IsAnyItemActive()) focus_text_field("##find");
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputTextWithHint("##find", ui.text("find.hint").c_str(), typed.data(), typed.size(),
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    ui.probe.mark_item("find.input", 0, typed.data());
    if (ui.keyboard != nullptr) {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ui.keyboard->announce("find.input", {low.x, low.y, high.x, high.y});
        focus_ring(ui, canvas, {low.x, low.y, high.x, high.y}, ui.theme.px(7));
    }
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    search(frame, typed.data());
    begin_child({"find.list", 0, 0, false, false, 0});
    draw_rows(frame, context, entered);
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
