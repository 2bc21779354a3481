#include <imgui.h>

#include <algorithm>
#include <functional>

#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// An item of the menu: label, keyboard shortcut and action.
struct MenuRow {
    std::string id, words, key;
    std::function<void()> act;
};

/// A part of the model that a menu item switches off or on.
struct Switch {
    const char* id;
    Intervention removal;
    std::string key = {};
};
MenuRow switch_row(const Frame& frame, const Switch& s) {
    const char* const words = contains(frame.what_ifs, s.removal) ? "menu.switch_on" : "menu.switch_off";
    return {s.id, frame.ui.text(words, {{"name", intervention_name(frame.ui, frame.workspace.config(), s.removal)}}),
            s.key, [&what_ifs = frame.what_ifs, removal = s.removal] { toggle(what_ifs, removal); }};
}

/// Items to pick or unpick a head, and to compare it with the chosen one.
void add_comparisons(const Frame& frame, const Pick& head, std::vector<MenuRow>& rows) {
    const Ui& ui = frame.ui;
    Focus& focus = frame.selection.focus;
    const bool picked = focus.lab.picked(head.block, head.head);
    const std::string name = intervention_name(ui, frame.workspace.config(), remove_head(head.block, head.head));
    rows.push_back({"menu.pick", ui.text(picked ? "menu.unpick" : "menu.pick", {{"name", name}}), {}, [&focus, head] {
                        focus.lab.toggle_pick(head.block, head.head);
                    }});
    if (head.block == focus.block && head.head == focus.head) return;
    const std::string chosen = intervention_name(ui, frame.workspace.config(), remove_head(focus.block, focus.head));
    rows.push_back({"menu.compare", ui.text("menu.compare", {{"name", chosen}}), {}, [&frame, &focus, head] {
                        focus.lab.picks = {{focus.block, focus.head, {}}, {head.block, head.head, {}}};
                        focus.lab.instrument = Instrument::compare;
                        if (!has_place(frame.state().room, name_of(Instrument::compare)))
                            frame.commands().add(command::EnterRoom{"laboratory"});
                    }});
}

std::vector<MenuRow> rows_of(const Frame& frame, const MenuSubject& what) {
    const Ui& ui = frame.ui;
    std::vector<MenuRow> rows;
    const std::string key = frame.key_of("switch");  // the key switches the head if there are both
    if (what.head)
        rows.push_back(switch_row(frame, {"menu.switch.head", remove_head(what.head->block, what.head->head), key}));
    if (what.token && frame.shown().result->model->config.is_patch(*what.token))
        rows.push_back(switch_row(frame, {"menu.switch.patch", remove_token(*what.token), what.head ? "" : key}));
    if (what.head) add_comparisons(frame, *what.head, rows);
    if (const std::string part = what.part; !part.empty())
        rows.push_back({"menu.save", ui.text("menu.save"), frame.key_of("export"), [&frame, part] {
                            frame.panel.drafts.taking.part = part;
                            frame.commands().add("export");
                        }});
    rows.push_back({"menu.keep", ui.text("menu.keep"), frame.key_of("lesson.keep"),
                    [&frame] { frame.commands().add("lesson.keep"); }});
    return rows;
}

/// Width of the menu: the longest label with its shortcut, and margins, px.
float width_of_menu(const Ui& ui, const std::vector<MenuRow>& rows) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    float width = 0;
    for (const MenuRow& row : rows)
        width = std::max(width, canvas.measure(row.words, Font::body).x +
                                    std::max(canvas.measure(row.key, Font::body).x, ui.theme.px(40)));
    return std::ceil(width) + ui.theme.px(48);
}

}  // namespace

void context_menu(const Frame& frame) {
    const Ui& ui = frame.ui;
    Selection& selection = frame.selection;
    if (!selection.menu() || !frame.shown().result) return;
    constexpr const char* id = "context_menu";
    if (selection.take_menu_asked()) ImGui::OpenPopup(id);
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, ui.theme.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.theme.px(6), ui.theme.px(6)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const bool open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoSavedSettings);
    bool taken = !open;
    if (open) {
        if (ui.keyboard != nullptr) ui.keyboard->begin_layer("menu");
        const std::vector<MenuRow> rows = rows_of(frame, *selection.menu());
        const float width = width_of_menu(ui, rows);
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        ui.probe.mark("menu", {at.x, at.y, at.x + size.x, at.y + size.y}, static_cast<double>(rows.size()));
        for (const MenuRow& row : rows) {
            if (!button(ui, {row.id, row.words, {}, {}}, {Emphasis::quiet, {}, width, true, row.key})) continue;
            row.act();
            taken = true;
        }
        if (taken) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(3);
    if (taken) selection.close_menu();
}

}  // namespace vitrine
