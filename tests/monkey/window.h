#pragma once

#include <imgui.h>

#include <memory>
#include <string>

#include "app/exports/offscreen_drawing.h"
#include "app/frame/shell.h"
#include "app/platform/input_queue.h"
#include "tests/monkey/zoo.h"
#include "tests/small_model.h"
#include "tests/state_door.h"

namespace vitrine::monkey {

/// The application without a display, and the conditions that must hold in every frame.
class Window {
public:
    explicit Window(const Zoo& zoo);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Opens another window with the session of this one, whatever is still running.
    void open_anew();
    void resize(float width, float height) { ImGui::GetIO().DisplaySize = {width, height}; }

    /// Draws frames until all input is consumed, at least `least` and at most some dozens.
    void frames(int least = 1);
    /// Draws frames until all jobs have finished; false if that takes too many.
    bool settle();

    Shell& app() { return *app_; }
    const Zoo& zoo() const { return zoo_; }
    InputQueue input;

private:
    void frame();
    void demand_frame();

    const Zoo& zoo_;
    ImGuiContext* context_;
    std::unique_ptr<Shell> app_;
    OffscreenDrawing aside_;  // what its commands order
};

/// Undo then redo must restore the state; true if there was something to undo.
bool demand_undo(Window& window);
/// A session must survive saving and loading.
void demand_session(Window& window);

}  // namespace vitrine::monkey
