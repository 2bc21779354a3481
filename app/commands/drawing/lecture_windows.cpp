#include "app/commands/drawing/lecture_windows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/platform/monitors.h"
#include "app/ui/text.h"
#include "core/base/clock.h"
#include "core/base/error.h"

namespace vitrine {

namespace {

/// The index of the presenter's monitor: the intended one, or another if the audience's window is on that one.
std::size_t presenter_monitor(const std::vector<Monitor>& all, const Stages& stages, const std::string& hall) {
    const auto meant = static_cast<std::size_t>(stages.presenter);
    if (all[meant].name != hall) return meant;
    return meant == 0 ? 1 : 0;
}

}  // namespace

LectureWindows::LectureWindows(Window& hall, Shell& shell, const char* probe_file)
    : hall_(hall),
      shell_(shell),
      probe_file_(probe_file != nullptr ? probe_file + std::string(".presenter") : ""),
      chosen_(shell.state().settings.hall_monitor) {}

LectureWindows::~LectureWindows() { close(); }

void LectureWindows::draw_stops() {
    constexpr double moment = 0.05;  // seconds
    const Clock::time_point began = Clock::now();
    while (pictures_.step(shell_) && pictures_.busy() && seconds_since(began) < moment) {
    }
}

void LectureWindows::follow() {
    const State& state = shell_.state();
    update_monitors();
    shell_.take_in(arrival::FullScreen{hall_.is_full_screen()});
    if (presenter_) {
        presenter_->show(pictures_.views());
        presenter_->refresh();
    }
    if (std::exchange(chosen_, state.settings.hall_monitor) != state.settings.hall_monitor && hall_.is_full_screen()) {
        hall_.fill(chosen_);
        if (window_) fills_ = hall_.monitor();
    }
    if (window_ && !window_->is_open()) {  // closed by the user
        close();
        return shell_.ask(command::ChangeSettings{{{"presenter", "false"}}});
    }
    const bool wanted = state.lecture.on && state.settings.presenter;
    if (wanted && !window_) open();
    if (!wanted && window_) close();
    if (!state.lecture.on) fills_.clear();
    if (screen_.ends(state.lecture.on, hall_.is_full_screen())) hall_.leave_full_screen();
}

/// Notices changes of the desktop's monitors; moves the picture back to a projector that was reconnected.
void LectureWindows::update_monitors() {
    const State& state = shell_.state();
    const bool opened = std::exchange(dialog_seen_, state.dialog) != state.dialog && !state.dialog.empty();
    if (std::exchange(changes_seen_, Window::monitor_changes()) == Window::monitor_changes() && !opened) return;
    shell_.take_in(arrival::Monitors{monitors()});
    if (!fills_.empty() && !hall_.is_full_screen() && monitor_named(state.monitors, fills_) >= 0) hall_.fill(fills_);
}

void LectureWindows::toggle_full_screen() {
    hall_.toggle_full_screen(shell_.state().settings.hall_monitor);
    if (!hall_.is_full_screen()) fills_.clear();
}

/// Opens the presenter's window: on a monitor of its own if there are two, else beside the audience's window.
void LectureWindows::open() {
    const std::vector<Monitor> all = monitors();
    const Stages stages = stages_of(all, chosen_);
    const bool apart = stages.presenter >= 0;
    WindowPlace place;
    if (apart && !hall_.is_full_screen()) {
        fills_ = all[static_cast<std::size_t>(stages.hall)].name;
        hall_.fill(fills_);
    }
    if (!all.empty()) {
        const Area work =
            apart ? all[presenter_monitor(all, stages, hall_.monitor())].work : beside_in(all.front().work);
        const float scale = std::max(0.5F, hall_.content_scale());  // GLFW multiplies the size by it
        const auto units = [&](int pixels) {
            return static_cast<int>(std::lround(static_cast<float>(pixels) / scale));
        };
        place = {work.x, work.y, units(work.width), units(work.height), apart};
    }
    try {
        window_ = std::make_unique<Window>(place);
    } catch (const Error& error) {
        shell_.report_error(error.what());
        shell_.ask(command::ChangeSettings{{{"presenter", "false"}}});
        return hall_.make_current();
    }
    presenter_ = std::make_unique<Presenter>(shell_);
    presenter_->probe().on = !probe_file_.empty();
    window_->set_title(shell_.text()("presenter.title") + " – Vitrine");
    window_->show(hooks());
    hall_.make_current();
}

Window::Hooks LectureWindows::hooks() {
    Window::Hooks hooks;
    hooks.before_frame = [this] {
        const Shell::Display display{static_cast<float>(window_->width()), static_cast<float>(window_->height()),
                                     0.8F * window_->content_scale(), 0};
        if (presenter_->prepare(display)) window_->upload_fonts();
    };
    hooks.frame = [this] {
        if (presenter_->frame()) Window::wake();
        if (!probe_file_.empty()) presenter_->probe().dump(probe_file_);
    };
    hooks.busy = [this] { return presenter_->busy(); };
    hooks.dropped = [this](const std::vector<std::filesystem::path>& paths) { shell_.open(paths); };
    return hooks;
}

/// Closes the presenter's window; drawing data is released before the textures it uses.
void LectureWindows::close() {
    if (!window_) return;
    window_->make_current();
    presenter_.reset();
    window_.reset();
    hall_.make_current();
    std::error_code ignored;
    if (!probe_file_.empty()) std::filesystem::remove(probe_file_, ignored);
}

}  // namespace vitrine
