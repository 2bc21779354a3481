#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <functional>
#include <string>

#include "app/exports/stop_pictures.h"
#include "app/frame/presenter.h"
#include "tests/ui/harness.h"

namespace vitrine {

/// The presenter's screen beside the hall's: the real frame in an ImGui context of its own.
class PresenterScreen {
public:
    explicit PresenterScreen(Harness& hall, ImVec2 size = {1280, 720})
        : presenter(*hall.app), hall_(hall), halls_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
        ImGui::SetCurrentContext(own_);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = size;
        io.DeltaTime = 1.0F / 60;
        set_up_keys();
        ImGui::SetCurrentContext(halls_);
        presenter.probe().on = true;
        frame(3);
    }
    ~PresenterScreen() {
        ImGui::DestroyContext(own_);
        ImGui::SetCurrentContext(halls_);
    }
    PresenterScreen(const PresenterScreen&) = delete;
    PresenterScreen& operator=(const PresenterScreen&) = delete;

    void frame(int count = 1) {
        for (int i = 0; i < count; ++i) {
            ImGui::SetCurrentContext(own_);
            const ImVec2 size = ImGui::GetIO().DisplaySize;
            if (presenter.prepare({size.x, size.y})) use_null_renderer();
            input.apply();
            ImGui::NewFrame();
            presenter.frame();
            ImGui::Render();
            EXPECT_TRUE(presenter.probe().duplicates().empty()) << presenter.probe().duplicates().front();
            ImGui::SetCurrentContext(halls_);
            hall_.frame();
        }
    }
    const Probe::Item& item(const std::string& id) {
        const Probe::Item* const found = presenter.probe().find(id);
        static const Probe::Item none;
        EXPECT_NE(found, nullptr) << id;
        return found != nullptr ? *found : none;
    }
    bool shows(const std::string& id) { return presenter.probe().find(id) != nullptr; }
    /// Draws the pictures of this stop and the next, between the hall's frames.
    void draw_stops() {
        hall_.wait_until([&] {
            pictures.step(*hall_.app);
            return !pictures.views().drawing;
        });
        presenter.show(pictures.views());
        frame(2);
    }
    void tap(const std::string& id) {
        const Rect rect = item(id).rect;
        input.move(rect.centre().x, rect.centre().y);
        frame(3);
        input.button(0, true);
        input.button(0, false);
        frame(4);
        hall_.settle();
        frame(2);
    }
    void press(Key key) {
        input.key(glfw_number(key), true);
        input.key(glfw_number(key), false);
        frame(6);
        hall_.settle();
        frame(2);
    }
    void type(const std::string& ascii) {
        for (const char c : ascii) input.character(static_cast<unsigned char>(c));
        frame(static_cast<int>(ascii.size()) + 2);
    }
    /// Calls a function in the presenter's own ImGui context.
    void within(const std::function<void()>& run) {
        ImGui::SetCurrentContext(own_);
        run();
        ImGui::SetCurrentContext(halls_);
    }
    void expect_readable(const std::string& where) {
        for (const auto& [id, item] : presenter.probe().items())
            EXPECT_FALSE(id.starts_with("cut.")) << item.text << " is cut in " << where;
        for (const std::string& pair : presenter.probe().overlaps()) ADD_FAILURE() << pair << " overlap in " << where;
    }

    Presenter presenter;
    InputQueue input;
    StopPictures pictures;

private:
    Harness& hall_;
    ImGuiContext* const halls_;
    ImGuiContext* const own_;
};

inline void begin_lesson(Harness& h, const std::string& source) {
    h.change()->settings.presenter = true;
    h.app->ask(command::OpenLesson{source});
    h.settle();
    h.frame(40);
}

}  // namespace vitrine
