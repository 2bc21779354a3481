#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/inference.h"
#include "app/jobs/learning.h"
#include "app/jobs/measuring.h"
#include "app/platform/child_process.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/panels/panels.h"
#include "app/shell/session.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/ui/widgets/texture_cache.h"
#include "app/workspace/selection.h"

namespace vitrine {

/// All that a user can change.
struct AppState {
    Experiment experiment;
    Selection selection;
    Motion motion;
    Chrome chrome;
    LearningState learning;
};

/// What was computed and looked at, for undo.
class History {
public:
    struct Moment {
        Experiment experiment;
        Focus focus;

        bool operator==(const Moment&) const = default;
    };

    /// Remembers a moment; a quick series of mere looks counts as one.
    void record(const Moment& moment, double seconds);
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < moments_.size(); }
    const Moment& undo() { return moments_[--at_]; }
    const Moment& redo() { return moments_[++at_]; }

private:
    std::vector<Moment> moments_;
    std::size_t at_ = 0;
    double last_look_ = -1e9;
};

/// The application without a window: the same frame runs on the desktop, in pictures and in tests.
class App {
public:
    /// `wake` is called from the worker's thread when there is something new to draw.
    explicit App(AppState state, std::function<void()> wake = {});
    ~App();
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    /// Before ImGui's frame: fonts and style for a display of this size. True where the fonts changed and the renderer
    /// must upload them. `fixed_scale` 0: what fits the size.
    struct Display {
        float width = 0, height = 0;
        float least_scale = 0.8F;
        float fixed_scale = 0;
    };
    bool prepare(const Display& display);
    /// The size of type and controls in a window of this size, the user's own factor aside.
    static constexpr float lecture_factor = 1.5F;  // readable from the back of a hall
    static float scale_of_window(int width, int height, float least = 0.8F);

    /// One frame, between ImGui::NewFrame and ImGui::Render.
    void frame();

    /// Files or folders dropped on the window: images and models are told apart.
    void open(const std::vector<std::filesystem::path>& paths);

    /// Whether frames should keep coming.
    bool busy() const;
    /// Waits for the worker; for pictures and tests.
    void settle() {
        worker_.wait();
        if (learning_) learning_->wait();
        if (laboratory_) laboratory_->wait();
    }
    /// The runs of the learning mode; made when they are first asked for.
    Learning& learning();
    /// What measures for the laboratory; made when it is first asked for.
    Measuring& laboratory();
    static constexpr int workspace = 0;  // the one that there is, to the jobs

    AppState& state() { return state_; }
    const AppState& state() const { return state_; }
    const Snapshot& shown() const { return shown_; }
    Probe& probe() { return probe_; }
    const KeyboardFocus& keyboard_focus() const { return focus_; }
    const Text& text() const { return text_; }
    const Theme& theme() const { return theme_; }
    /// The program that long jobs are handed to; a test is not the program itself.
    void set_program(const std::string& program) { program_ = program; }
    const std::string& error() const { return error_; }
    bool wants_to_quit() const { return quit_; }
    bool take_full_screen_request();

    /// A part of the window, for pictures of it alone: window, stage, explanation, map, tokens.
    static const std::vector<std::string>& parts();
    Rect rect_of(const std::string& part) const;
    bool is_on_screen(const std::string& part) const;  // a lecture slides some of them away
    /// The next frame's drawing of a part is kept as SVG.
    void record(const std::string& part) { record_ = part; }
    std::string take_recording() { return std::exchange(recording_, {}); }

    /// Goes back to a session once its model is there.
    void restore(const Session& session);
    Session session() const;

private:
    struct Zones {
        Rect top, map, stage, explanation, tokens, time;
    };
    Zones zones() const;
    using ZonePainter =
        std::function<void(const char* id, const Rect& rect, bool framed, const std::function<void()>&)>;
    Ui ui() { return {theme_, text_, probe_, textures_, &focus_, &glyphs_, &also_}; }
    void begin_recording(const std::string& part);
    void end_recording(const std::string& part);
    void take_restored_focus();
    bool take_language();
    void take_in(const Snapshot& now);
    void keyboard();
    void keys_of_the_view();
    void keys_of_the_step();
    void switch_what_is_pointed_at();
    void draw_zones(const Ui& ui, const Zones& zones);
    void draw_stage(const Ui& ui);
    void draw_waiting(const Ui& ui);
    void draw_error(const Ui& ui);
    void draw_dialogs(const Ui& ui);
    void undo_or_redo();
    void enter_step();
    void toggle_lecture();
    void advance_lecture(float seconds);
    void choose_lesson(const std::string& source);
    void go_to_stop(int stop);
    void next_in_lecture();
    void move_in_lecture(int by);
    bool lecture_keys();
    bool focus_keys();
    void take_lesson(const LessonChoice& choice);
    void write_handout(const std::string& lesson);
    void watch_handout();
    void draw_lecture_stage(const Ui& ui);
    void notice_answer();
    void draw_explorer_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone);
    void draw_learning_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone);
    void draw_learning_stage(const Ui& ui, const std::vector<RunView>& runs);
    void learning_keys();
    void take_measures();
    void draw_laboratory_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone);
    void draw_laboratory_stage(const Ui& ui);
    void draw_measuring(const Ui& ui);
    void laboratory_keys();
    const Measured* measured_in_view() const;
    std::filesystem::path scratch_session();
    void start_export(std::vector<std::string> words, const std::filesystem::path& result);
    std::filesystem::path new_file(const std::string& ending) const;
    void export_png();
    void export_numbers();
    void copy_numbers();
    void save_this_session();
    void tell_written(const std::filesystem::path& file);
    static std::vector<std::filesystem::path> sessions_in(const std::filesystem::path& folder);
    void open_export_dialog();
    void recover();
    void carry_out(TakeAway::Asked asked);
    void take_away();
    void carry_out_learning();
    std::shared_ptr<const Model> learned_model(int run);
    void open_learned(int run);
    void save_learned(int run);
    void go_to(const History::Moment& moment);
    bool shows_requested_model() const;

    AppState state_;
    Theme theme_;
    Text text_;
    Text english_;          // for the terms beside another language's
    std::string language_;  // of text_, with the terms or without
    Glyphs glyphs_;
    KeyboardFocus focus_;
    Probe probe_;
    TextureCache textures_;
    Browser browser_;
    History history_;
    std::optional<Focus> focus_to_come_;  // of a model that is still being opened
    std::optional<Session> restoring_;    // its what-ifs wait for that model, too
    std::string record_, recording_;      // the part to be recorded; its document
    std::unique_ptr<SvgCanvas> svg_;
    Canvas* also_ = nullptr;  // what records while it does
    Snapshot shown_;
    std::shared_ptr<const Failure> told_;  // the failure whose message is in error_
    std::string error_;
    History::Moment arrived_;   // what was computed and looked at when the step was entered
    std::time_t drawn_at_ = 0;  // the second of the last frame, for what changes with the clock alone
    std::unique_ptr<ChildProcess> handout_;
    std::filesystem::path handout_file_;
    std::unique_ptr<ChildProcess> export_;
    std::string program_ = ChildProcess::this_program;
    std::filesystem::path exported_, svg_file_, recovered_;
    bool full_screen_ = false, quit_ = false;
    std::function<void()> wake_;
    Measuring::State measuring_;                // of this frame
    std::shared_ptr<const Measured> measured_;  // what the laboratory shows
    std::unique_ptr<Learning> learning_;
    std::unique_ptr<Measuring> laboratory_;
    Inference worker_;  // these three last: their threads end before what they wake
};

}  // namespace vitrine
