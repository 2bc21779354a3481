#pragma once

#include <functional>
#include <memory>

namespace vitrine {

class Handout;
class Orders;
class Screen;
class Shell;
struct HandoutOrder;
struct PictureOrder;

/// Draws the pictures and handouts ordered by a window's commands, on the window's own thread between two of its
/// frames, one frame of a picture at a time, so that the window stays responsive. The saving job writes the files.
class OffscreenDrawing {
public:
    /// `wake` is called when there is something to draw.
    explicit OffscreenDrawing(std::function<void()> wake = {});
    ~OffscreenDrawing();
    OffscreenDrawing(const OffscreenDrawing&) = delete;
    OffscreenDrawing& operator=(const OffscreenDrawing&) = delete;

    /// Draws at most one frame; call outside ImGui's frame, with the window's OpenGL context current.
    void step(Shell& shell);

private:
    void step_picture(Shell& shell, Orders& orders);
    void step_handout(Shell& shell, Orders& orders);

    const std::function<void()> wake_;
    // The current order and its drawing.
    std::shared_ptr<const PictureOrder> picture_;
    std::unique_ptr<Screen> screen_;
    std::shared_ptr<const HandoutOrder> lesson_;
    std::unique_ptr<Handout> handout_;
};

}  // namespace vitrine
