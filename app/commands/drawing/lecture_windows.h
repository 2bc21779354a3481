#pragma once

#include <memory>
#include <string>

#include "app/exports/stop_pictures.h"
#include "app/frame/presenter.h"
#include "app/frame/shell.h"
#include "app/lecture/full_screen.h"
#include "app/platform/window.h"

namespace vitrine {

/// The audience's window, and the presenter's, which exists during a lecture; placed on the available monitors.
class LectureWindows {
public:
    /// `probe_file`: file of the audience's probe, for a test; the presenter's is next to it. Null: no test.
    LectureWindows(Window& hall, Shell& shell, const char* probe_file);
    ~LectureWindows();
    LectureWindows(const LectureWindows&) = delete;
    LectureWindows& operator=(const LectureWindows&) = delete;

    /// Draws the presenter's pictures of stops for a moment; called before every frame of the audience's window.
    void draw_stops();
    /// True while pictures of stops remain to be drawn.
    bool busy() const { return pictures_.busy(); }
    /// Called after every frame of the audience's window: opens, closes and places windows as the state requires.
    void follow();
    void toggle_full_screen();

private:
    void update_monitors();
    void open();
    void close();
    Window::Hooks hooks();

    Window& hall_;
    Shell& shell_;
    const std::string probe_file_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<Presenter> presenter_;
    StopPictures pictures_{[] { Window::wake(); }};
    int changes_seen_ = -1;    // counter of changes to the monitors, as last seen
    std::string dialog_seen_;  // the dialog in the last frame: one that opens lists the monitors
    std::string chosen_;       // the audience's monitor as last chosen
    LectureScreen screen_;
    std::string fills_;  // the monitor that the lecture fills, again once it is reconnected; "": none
};

}  // namespace vitrine
