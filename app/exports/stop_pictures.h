#pragma once

#include <functional>
#include <map>
#include <memory>

#include "app/lecture/presenter_view.h"

namespace vitrine {

class Screen;
class Shell;

/// Draws the audience's view at this stop and at the next one for the presenter's window: on the window's own thread
/// between two of its frames, one frame of a picture at a time, and only while the audience's picture is at rest.
class StopPictures {
public:
    /// `wake` is called when there is something to draw.
    explicit StopPictures(std::function<void()> wake = {});
    ~StopPictures();
    StopPictures(const StopPictures&) = delete;
    StopPictures& operator=(const StopPictures&) = delete;

    /// Draws at most one frame; call outside ImGui's frame, with the OpenGL context of the audience's window current.
    /// True if it drew one.
    bool step(const Shell& hall);
    /// True while a frame can be drawn without waiting for a job.
    bool busy() const;
    const StopViews& views() const { return views_; }

private:
    struct Seen;
    enum class Turn { waits, opens, here, next, done };

    void begin(const AppContext& hall);
    void take(const AppContext& hall);
    void end();

    const std::function<void()> wake_;
    std::unique_ptr<Screen> screen_;    // exists while there is a presenter's window
    std::unique_ptr<const Seen> seen_;  // the state of the latest pictures
    Turn turn_ = Turn::done;
    StopViews views_;
    std::map<int, std::shared_ptr<const Image>> drawn_;  // latest picture by stop, shown until it is drawn again
};

}  // namespace vitrine
