#pragma once

#include <imgui.h>

#include <memory>
#include <string>

#include "app/exports/drawn_aside.h"
#include "app/frame/shell.h"
#include "app/platform/input_queue.h"
#include "tests/monkey/zoo.h"
#include "tests/small_model.h"

namespace vitrine::monkey {

/// The application without a display, and what must hold in every frame of it.
class Window {
public:
    explicit Window(const Zoo& zoo);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Another window that goes on with the session of this one, whatever still runs in it.
    void open_anew();
    void resize(float width, float height) { ImGui::GetIO().DisplaySize = {width, height}; }

    /// Frames until all input is taken, at least `least` and at most some dozens.
    void frames(int least = 1);
    /// Frames until all jobs have answered; false where that takes too many.
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
    DrawnAside aside_;  // what its commands order
};

/// Undo, then redo, gives what was there; true where there was something to undo.
bool demand_undo(Window& window);
/// A session that is written, read and gone back to gives itself.
void demand_session(Window& window);

}  // namespace vitrine::monkey
