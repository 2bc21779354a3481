#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <stdlib.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/exports/offscreen_drawing.h"
#include "app/frame/opening.h"
#include "app/frame/shell.h"
#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/jobs/measuring.h"
#include "app/jobs/saving.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/input_queue.h"
#include "tests/eventually.h"
#include "tests/small_model.h"
#include "tests/state_door.h"

namespace vitrine {

/// The whole application without a display: real frames, injected input, and a probe for what is drawn.
class Harness {
public:
    /// `wake`: called by the jobs' threads when they have results.
    explicit Harness(Opening state = with_image("cat"), ImVec2 size = {1920, 1080}, std::function<void()> wake = {})
        : context_(ImGui::CreateContext()) {
        contexts_.push_back(context_);
        ImGui::SetCurrentContext(context_);
        // Whether a model that knows photographs is in this machine's own cache changes no test.
        setenv("HF_HUB_CACHE", "/nonexistent/hub", 0);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = size;
        io.DeltaTime = 1.0F / 60;
        set_up_keys();
        app = std::make_unique<Shell>(std::move(state), [this, wake = std::move(wake)] {
            news_ = true;
            if (wake) wake();
        });
        app->probe().on = true;
        frame();
        settle();
    }
    ~Harness() {
        ImGui::SetCurrentContext(context_);
        app.reset();
        ImGui::DestroyContext(context_);
        std::erase(contexts_, context_);
        ImGui::SetCurrentContext(contexts_.empty() ? nullptr : contexts_.back());
    }
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;

    static Opening with_image(const std::string& sample) {
        Opening state;
        state.experiment.model = small_model();
        state.experiment.image = {sample, {}};
        return state;
    }

    void frame(int count = 1) {
        ImGui::SetCurrentContext(context_);
        for (int i = 0; i < count; ++i) {
            aside_.step(*app);
            const ImVec2 size = ImGui::GetIO().DisplaySize;
            if (app->prepare({size.x, size.y})) use_null_renderer();
            input.apply();
            ImGui::NewFrame();
            app->frame();
            ImGui::Render();
            const ImGuiWindow* const stray = ImGui::FindWindowByName("Debug##Default");
            EXPECT_FALSE(stray != nullptr && stray->Active) << "something is drawn outside every window";
            EXPECT_TRUE(app->probe().duplicates().empty())
                << "two items share the id " << app->probe().duplicates().front();
        }
    }

    /// Draws frames until all requests are answered and shown.
    void settle() {
        frame(2);
        app->settle();
        frame(2);
        // Measurements that a new result makes possible, and so on. A model that learns always has news: four rounds.
        for (int round = 0; round < 4; ++round) {
            app->settle();
            news_ = false;
            frame(3);
            if (!app->context().jobs().busy() && !news_) break;
        }
    }

    /// Draws frames until a condition holds that depends on training or another process.
    void wait_until(const std::function<bool()>& done) {
        EXPECT_TRUE(eventually([&] {
            if (done()) return true;
            frame();
            return false;
        }));
    }

    const Probe::Item& item(const std::string& id) {
        const Probe::Item* const found = app->probe().find(id);
        if (found != nullptr) return *found;
        ADD_FAILURE() << "there is nothing called " << id << " on the screen";
        static const Probe::Item none;
        return none;
    }
    bool shows(const std::string& id) const { return app->probe().find(id) != nullptr; }

    /// Scrolls the explanation to the part of an item that its words have pushed out of sight, as a reader does: by the
    /// headings above, and on by the wheel.
    void bring_into_view(const std::string& id) {
        static const std::pair<const char*, const char*> parts[] = {
            {"switch.", "switches"},    {"slider.", "switches"},        {"text.switch.", "switches"},
            {"text.swap.", "switches"}, {"learn.watch_it", "switches"}, {"edge.switch.", "switches"},
            {"equation.", "equation"},  {"fact.", "numbers"},           {"question.", "question"}};
        if (item(id).visible) return;
        for (const auto& [beginning, part] : parts)
            for (const char* const panel : {"explanation.scroll.to.", "text.panel.scroll.to."})
                if (id.starts_with(beginning) && shows(std::string(panel) + part)) {
                    const Rect heading = item(std::string(panel) + part).rect;
                    input.move(heading.centre().x, heading.centre().y);
                    frame(2);
                    input.button(0, true);
                    input.button(0, false);
                    frame(5);
                    input.move(heading.centre().x, heading.y1 + 60);  // a long part is read on by the wheel
                    for (int turns = 0; turns < 30 && !item(id).visible; ++turns) {
                        input.wheel(0, -1);
                        frame(3);
                    }
                    return;
                }
    }

    void hover(const std::string& id) {
        bring_into_view(id);
        const Rect rect = item(id).rect;
        EXPECT_TRUE(item(id).visible) << id << " cannot be seen";
        input.move(rect.centre().x, rect.centre().y);
        frame(3);
    }
    void tap(const std::string& id, int button = 0) {
        hover(id);
        input.button(button, true);
        input.button(button, false);
        frame(4);
        settle();
    }
    void double_tap(const std::string& id) {
        hover(id);
        for (int i = 0; i < 2; ++i) {
            input.button(0, true);
            input.button(0, false);
            frame(2);
        }
        settle();
    }
    void press(Key key, Key modifier = Key::count) {
        strike(key, modifier);
        frame(3);
        settle();
    }
    /// A key that starts no job, such as those that move the focus.
    void strike(Key key, Key modifier = Key::count) {
        if (modifier != Key::count) input.key(glfw_number(modifier), true);
        input.key(glfw_number(key), true);
        input.key(glfw_number(key), false);
        if (modifier != Key::count) input.key(glfw_number(modifier), false);
        frame(3);
    }
    void type(const std::string& ascii) {
        for (const char c : ascii) input.character(static_cast<unsigned char>(c));
        frame(static_cast<int>(ascii.size()) + 2);
    }

    /// No text is truncated or overlaps other text.
    void expect_readable(const std::string& where) const {
        for (const auto& [id, item] : app->probe().items())
            EXPECT_FALSE(id.starts_with("cut.")) << item.text << " is cut in " << where;
        for (const std::string& pair : app->probe().overlaps()) ADD_FAILURE() << pair << " overlap in " << where;
    }

    const Focus& focus() const { return app->context().focus(); }
    /// What is changed in it becomes commands, carried out at the end of the statement.
    StateDoor::Change change() { return StateDoor::Change(*app); }
    /// Carries out a command at once.
    void carry_out(const Command& command) { StateDoor::carry_out(*app, command); }
    /// The state itself, for what no command makes.
    AppContext& door() { return StateDoor::open(*app); }
    const Result& result() const { return *app->shown().result; }
    const WhatIfs& what_ifs() const { return app->workspace().experiment.what_ifs; }

    std::unique_ptr<Shell> app;
    InputQueue input{[] { return ImGui::GetTime(); }};  // time of the frames

private:
    std::atomic<bool> news_ = false;                     // a job has had results since the last round
    inline static std::vector<ImGuiContext*> contexts_;  // of the harnesses alive
    ImGuiContext* context_;
    OffscreenDrawing aside_;  // what its commands order
};

/// The parts of a window that scroll, whose ids contain some words.
inline std::vector<const ImGuiWindow*> windows_with(const std::string& words) {
    std::vector<const ImGuiWindow*> all;
    for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string(window->Name).find(words) != std::string::npos) all.push_back(window);
    return all;
}

/// The first item with this prefix of its id; empty if there is none.
inline std::string first_id(Harness& h, std::string_view beginning) {
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with(beginning)) return id;
    return {};
}

/// Shows a chapter.
inline void go_to(Harness& h, std::string_view id) {
    h.carry_out(command::GoToChapter{std::string(id)});
    h.settle();
    h.frame(3);
}

/// Starts the lecture.
inline void begin_lecture(Harness& h) {
    h.press(Key::l);
    h.frame(40);  // while the zones slide away
}

/// A block of the shown run, from 1.
inline BlockTrace block_of(const Harness& h, int block) { return *h.result().trace.block(block); }

}  // namespace vitrine
