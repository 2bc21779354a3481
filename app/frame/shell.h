#pragma once

#include <ctime>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/dialogs/dialogs.h"
#include "app/exports/recorder.h"
#include "app/frame/draft.h"
#include "app/jobs/jobs.h"
#include "app/rooms/app_context.h"
#include "app/rooms/room.h"
#include "app/sessions/session.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/texture_cache.h"

namespace vitrine {

struct LearningRuns;
struct Opening;

/// The application without a window: the same frame runs on the desktop, in pictures and in tests.
class Shell {
public:
    /// `wake` is called from the jobs' threads when there is something new to draw.
    explicit Shell(Opening opening, std::function<void()> wake = {});
    Shell(const Shell&) = delete;
    Shell& operator=(const Shell&) = delete;

    /// Before ImGui's frame: fonts and style for a display of this size. True where the fonts changed and the renderer
    /// must upload them. `fixed_scale` 0: what fits the size.
    struct Display {
        float width = 0, height = 0;
        float least_scale = 0.8F;
        float fixed_scale = 0;
    };
    bool prepare(const Display& display);

    /// One frame, between ImGui::NewFrame and ImGui::Render.
    void frame();

    /// Asks for what a user wants done; the next frame carries it out.
    void ask(Command command) { commands_.add(std::move(command)); }
    /// Files or folders dropped on the window: images, models, lessons and sessions are told apart.
    void open(const std::vector<std::filesystem::path>& paths);
    /// Carries out recorded commands, line by line, each when the one before has been answered. A recording may be
    /// somebody else's: what it writes goes into a scratch folder, and what would change any other file is skipped and
    /// told. Throws Error where no such folder can be made.
    void play(const std::vector<std::string>& lines);
    /// The same for a command of one's own, which may need a run to act on.
    void ask_with_a_run(const Command& command) { to_play_.push_back(to_line(command, context_.workspace().config())); }
    /// Hears every command that was carried out, in a form that `play` understands.
    void listen(std::function<void(const Command&)> listener) { listener_ = std::move(listener); }

    /// Whether frames should keep coming.
    bool busy() const;
    /// What the window is named after: the image, the text that is typed, or the room that has neither.
    std::string title() const;
    /// Waits for the jobs; for pictures and tests.
    void settle() { context_.jobs().wait(); }

    /// Shows another state, at once.
    void show(Opening opening);
    /// Goes back to a session once its model is there.
    void restore(const Session& session);
    Session session() const;

    AppContext& context() { return context_; }
    const AppContext& context() const { return context_; }
    State& state() { return context_.state; }
    const State& state() const { return context_.state; }
    Workspace& workspace() { return context_.workspace(); }
    const Workspace& workspace() const { return context_.workspace(); }
    const Snapshot& shown() const { return context_.workspace().shown; }
    const std::string& error() const { return context_.state.error; }
    void tell_error(std::string sentence) { context_.state.error = std::move(sentence); }
    const Text& text() const { return context_.text; }
    const Theme& theme() const { return context_.theme; }
    Probe& probe() { return probe_; }
    const KeyboardFocus& keyboard_focus() const { return keyboard_; }

    const Dialogs& dialogs() const { return dialogs_; }

    bool wants_to_quit() const { return context_.quit; }
    /// Whether its window may be closed; where it may not yet, it asks why. What is being typed is taken over first, in
    /// the next frame, which then wants to quit by itself.
    bool may_close();
    /// An address that a browser is to open; empty where there is none.
    std::string take_link() { return std::exchange(context_.link, {}); }
    /// What became of it: a browser was asked, or the address lies on the clipboard.
    void tell_link(const std::string& address, bool opened);
    bool take_full_screen_request() { return std::exchange(context_.full_screen, false); }

    /// A part of the window, for pictures of it alone, as `window_parts` names it.
    Rect rect_of(const std::string& part) const;
    bool is_on_screen(const std::string& part) const;
    /// The next frame's drawing of a part is kept as SVG.
    void record(const std::string& part) {
        recorder_.want(part, context_.state.figure.outlines ? SvgCanvas::Letters::outlines : SvgCanvas::Letters::text);
    }
    std::string take_recording() { return recorder_.take().value_or(""); }

private:
    Ui ui() {
        return {context_.theme,
                context_.text,
                probe_,
                textures_,
                &keyboard_,
                &glyphs_,
                recorder_.also(),
                context_.state.figure.bare,
                context_.state.settings.count_from};
    }
    Frame frame_of(Draft& draft, const Ui& ui, const Layout& layout, const LearningRuns& runs);
    bool take_language();
    void take_in_jobs();
    void begin_lesson();
    void take_in(Workspace& workspace);
    void take_measures(Workspace& workspace);
    void take_exercise(Workspace& workspace);
    void take_text(Workspace& workspace);
    void take_roles(Workspace& workspace);
    void watch_files();
    void begin_frame();
    void play_on();
    void draw(const Frame& frame);
    void draw_zone(const Frame& frame, const Zone& zone);
    void draw_top(const Frame& frame);
    void draw_notice();
    void notice_answer();
    void notice_text_answer();
    void notice_opened();
    void notice_travel(const Moment& from);
    void request_jobs();
    bool answered();
    bool plays_by_itself();
    void tell(const Command& command);

    AppContext context_;
    std::string language_;  // of the words, with the terms or without
    Glyphs glyphs_;
    KeyboardFocus keyboard_;
    Probe probe_;
    TextureCache textures_;
    Recorder recorder_;
    Dialogs dialogs_;
    Commands commands_;
    std::deque<std::string> to_play_;
    std::function<void(const Command&)> listener_;
    std::shared_ptr<const Result> remembered_;  // the last one whose files were put among the recent ones
    bool closes_ = false;                       // it was asked to, while something was typed
    double told_at_ = 0;                        // the listener was told something; ImGui's time
    double looked_at_files_ = -1e9;             // ImGui's time
    std::time_t drawn_at_ = 0;                  // the second of the last frame, for what changes with the clock alone
};

}  // namespace vitrine
