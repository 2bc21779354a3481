#pragma once

#include <memory>
#include <string>

#include "app/frame/presenter.h"
#include "app/frame/shell.h"
#include "app/lecture/full_screen.h"
#include "app/platform/window.h"

namespace vitrine {

/// The hall's window and the presenter's, which comes and goes with a lecture, on the monitors that there are.
class LectureWindows {
public:
    /// `probe_file`: where a test looks for the hall's probe; the presenter's is beside it. Null: nobody looks.
    LectureWindows(Window& hall, Shell& shell, const char* probe_file);
    ~LectureWindows();
    LectureWindows(const LectureWindows&) = delete;
    LectureWindows& operator=(const LectureWindows&) = delete;

    /// After every frame of the hall's window: opens, closes and places what the state asks for.
    void follow();
    void toggle_full_screen();

private:
    void mind_monitors();
    void open();
    void close();
    Window::Hooks hooks();

    Window& hall_;
    Shell& shell_;
    const std::string probe_file_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<Presenter> presenter_;
    int changes_seen_ = -1;    // of the desktop's monitors
    std::string dialog_seen_;  // monitors are looked at when one opens
    std::string chosen_;       // the hall's monitor, as it was chosen last
    LectureScreen screen_;
    std::string fills_;  // the monitor that the lecture was put on, and comes back to
};

}  // namespace vitrine
