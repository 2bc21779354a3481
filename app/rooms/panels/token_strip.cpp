#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/kept.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/picture.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// A token: its patch as a thumbnail, or its name in a box.
void draw_token(const Ui& ui, const Result& now, Rect rect, int token) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Config& c = now.model->config;
    if (!c.is_patch(token)) {
        canvas.fill(rect, theme.palette.raised, theme.px(4));
        const std::string name = fitted(canvas, short_token_name(ui, now, token), Font::caption, rect.width());
        canvas.text({rect.centre().x, rect.centre().y - canvas.measure(name, Font::caption).y / 2}, name,
                    {Font::caption, theme.palette.text, Align::centre});
        return;
    }
    const auto p = static_cast<float>(c.patch_size);
    const float x = static_cast<float>(c.patch_of(token) % c.grid_width()) * p,
                y = static_cast<float>(c.patch_of(token) / c.grid_width()) * p;
    canvas.picture(rect, {now.patched, {x, y, x + p, y + p}, true, 1.0F, 1.0F});
}

/// Layout of the tokens, px.
struct Row {
    float side = 0, gap = 0, leading_width = 0;
    const Config& config;

    float x_of(int token) const {
        const float step = leading_width + gap;
        if (!config.is_patch(token)) return static_cast<float>(token) * step;
        const int patch = config.patch_of(token);  // a wider gap after each row of the image
        return static_cast<float>(config.leading_tokens()) * step + static_cast<float>(patch) * (side + gap) +
               static_cast<float>(patch / config.grid_width()) * gap * 2;
    }
};

/// Scrolls to the chosen token if it or the window's width has changed, unless the token is in sight: so a token
/// clicked in the strip does not move.
void keep_chosen_in_sight(const Row& layout, int token, float scroll) {
    const float shown = ImGui::GetWindowWidth(), from = layout.x_of(token);
    const float to = from + (layout.config.is_patch(token) ? layout.side : layout.leading_width);
    const bool chosen_moved = Kept<int>("last").exchange(token) != token;
    const bool moved = Kept<float>("width", shown).exchange(shown) != shown || chosen_moved;
    if (moved && (from < scroll || to > scroll + shown)) ImGui::SetScrollX(std::max(0.0F, from - shown / 2));
}

}  // namespace

void token_strip(const Ui& ui, const Result& now, Selection& selection, const WhatIfs& what_ifs) {
    const Theme& theme = ui.theme;
    const Config& c = now.model->config;
    const float height = ImGui::GetContentRegionAvail().y;
    const float side = std::max(theme.px(18), height - theme.px(16));
    const Row layout{side, theme.px(3), theme.px(52), c};
    begin_child({"tokens.scroll", 0, 0, false, false,
                 ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse});
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float shown = ImGui::GetWindowWidth(), scroll = ImGui::GetScrollX();
    const std::vector<int> off = tokens_off(what_ifs);

    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    for (int token = 0; token < c.tokens(); ++token) {
        const float x = layout.x_of(token), width = c.is_patch(token) ? side : layout.leading_width;
        if (x < scroll - 1 || x + width > scroll + shown + 1) continue;  // whole tokens only
        const Rect rect{origin.x + x, origin.y, origin.x + x + width, origin.y + side};
        draw_token(ui, now, rect, token);
        const Hit hit =
            hot_area(ui, "token." + std::to_string(token), rect, short_token_name(ui, now, token), Reach::part);
        if (std::find(off.begin(), off.end(), token) != off.end())
            hatch(canvas, rect, theme.palette.muted, theme.px(6));
        if (selection.focus.token == token) canvas.stroke(rect, theme.palette.query, theme.px(3), theme.px(3));
        if (selection.hovered_token() == token) canvas.stroke(rect, theme.palette.text, theme.px(2), theme.px(3));
        if (hit.at) {
            selection.hover_token(token);
            tooltip(ui, token_name(ui, now, token));
            if (hit.menu) selection.ask_menu({token, {}, ""});
        }
        if (hit.clicked) selection.focus.token = token;
    }
    if (ui.keyboard != nullptr) {
        const Rect strip{origin.x + scroll, origin.y, origin.x + scroll + shown, origin.y + side};
        ui.keyboard->announce("tokens", strip);
        ui.probe.mark("tokens", strip);
        focus_ring(ui, canvas, strip.inset(theme.px(4)), theme.px(4));
        selection.focus.token = std::clamp(selection.focus.token + ui.keyboard->right_on_last(), 0, c.tokens() - 1);
    }
    ImGui::Dummy({layout.x_of(c.tokens()), side});
    if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0)
        ImGui::SetScrollX(scroll - ImGui::GetIO().MouseWheel * side * 2);
    keep_chosen_in_sight(layout, selection.focus.token, scroll);
    ImGui::EndChild();
}

}  // namespace vitrine
