#pragma once

#include <imgui.h>

#include <functional>

#include "app/platform/imgui_compat.h"
#include "app/ui/fonts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/texture_cache.h"

namespace vitrine {

/// A window of 800 × 600 without a renderer, for drawing and clicking widgets.
class WidgetFrame {
public:
    WidgetFrame() {
        context_ = ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = {800, 600};
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        set_up_keys();
        theme.palette = palette_of(theme.kind);
        build_fonts(theme, text);
        use_null_renderer();
        apply_style(theme);
        probe.on = true;
        feed_mouse_position(-100, -100);
    }
    ~WidgetFrame() { ImGui::DestroyContext(context_); }
    WidgetFrame(const WidgetFrame&) = delete;
    WidgetFrame& operator=(const WidgetFrame&) = delete;

    void draw(const std::function<void()>& widgets) {
        textures.begin_frame();
        probe.begin_frame();
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({800, 600});
        ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
        widgets();
        ImGui::End();
        ImGui::Render();
    }

    void point_at(const std::string& id, const std::function<void()>& widgets) {
        draw(widgets);
        const Probe::Item* item = probe.find(id);
        if (item == nullptr) return;
        feed_mouse_position(item->rect.centre().x, item->rect.centre().y);
        draw(widgets);
        draw(widgets);
    }

    /// Moves the mouse there, presses and releases, in one frame each.
    void click(const std::string& id, const std::function<void()>& widgets, int button = 0) {
        point_at(id, widgets);
        feed_mouse_button(button, true);
        draw(widgets);
        feed_mouse_button(button, false);
        draw(widgets);
    }

    Theme theme;
    Text text;
    Probe probe;
    TextureCache textures;
    Ui ui{theme, text, probe, textures};

private:
    ImGuiContext* context_;
};

}  // namespace vitrine
