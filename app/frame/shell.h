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
#include "app/frame/carry_out.h"
#include "app/frame/draft.h"
#include "app/frame/keymap.h"
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

/// The application without a window: draws the same frames on the desktop, for pictures and in tests.
class Shell {
public:
    /// `wake` is called from the jobs' threads when there is something new to draw.
    explicit Shell(Opening opening, std::function<void()> wake = {});
    Shell(const Shell&) = delete;
    Shell& operator=(const Shell&) = delete;

    /// Called before ImGui's frame: sets up fonts and style for a display of this size. True if the fonts changed and
    /// the renderer must upload them. `fixed_scale` 0: chosen by size.
    struct Display {
        float width = 0, height = 0;
        float least_scale = 0.8F;
        float fixed_scale = 0;
    };
    bool prepare(const Display& display);

    /// Draws a frame, between ImGui::NewFrame and ImGui::Render.
    void frame();

    /// Queues a command; the next frame carries it out.
    void ask(Command command) { commands_.add(std::move(command)); }
    /// Shows a notice about the effect of a word typed where letters are commands, in this window or the presenter's.
    void notice_words(const TypedWords::Told& typed);
    /// Queues commands for a draft's changes.
    void ask(const Draft& draft) { draft.ask(context_, commands_); }
    /// Carries out an arrival at once.
    void take_in(const Arrival& arrival) { carrier_.take_in(arrival); }
    /// Opens files or folders dropped on the window: images, models, lessons and sessions, by their content.
    void open(const std::vector<std::filesystem::path>& paths);
    /// Plays recorded commands line by line, each after the one before is finished. A recording may come from others:
    /// its files are written to a scratch folder, and commands that would change other files are skipped and reported.
    /// Throws Error if no such folder can be created.
    void play(const std::vector<std::string>& lines);
    /// Queues a single command as `play` does, so that it waits for a run.
    void ask_with_a_run(const Command& command) { to_play_.push_back(to_line(command, context_.workspace().config())); }
    /// The listener receives every command carried out, in a form that `play` accepts.
    void listen(std::function<void(const Command&)> listener) { listener_ = std::move(listener); }

    /// True if frames should continue without input.
    bool busy() const;
    /// The window's title: the image, the typed text, or a room without either.
    std::string title() const;
    /// Waits for the jobs; for pictures and tests.
    void settle() { context_.jobs().wait(); }

    /// Shows another state at once.
    void show(Opening opening) { take_in(arrival::Opened{std::move(opening)}); }
    /// Restores a session once its model is loaded.
    void restore(const Session& session) { take_in(arrival::Restored{session}); }
    Session session() const;

    const AppContext& context() const { return context_; }
    const State& state() const { return context_.state; }
    const Workspace& workspace() const { return context_.workspace(); }
    const Snapshot& shown() const { return context_.workspace().shown; }
    const std::string& error() const { return context_.state.error; }
    void report_error(std::string sentence) { take_in(arrival::Failure{std::move(sentence)}); }
    const Text& text() const { return context_.text; }
    const Theme& theme() const { return context_.theme; }
    Probe& probe() { return probe_; }
    const KeyboardFocus& keyboard_focus() const { return keyboard_; }

    const Dialogs& dialogs() const { return dialogs_; }

    bool wants_to_quit() const { return context_.quit; }
    /// True if the window may be closed; otherwise asks the user. During text input, returns false: the next frame
    /// accepts the text and then quits.
    bool may_close();
    /// The URL to open in the browser, returned once; empty if there is none.
    std::string take_link();
    /// Shows whether the browser opened the address; if not, copies it to the clipboard.
    void report_link(const std::string& address, bool opened);
    bool take_full_screen_request();
    /// True once if the clipboard's content should be opened.
    bool take_paste_request();

    /// The rectangle of a part of the window, by its name in `window_parts`.
    Rect rect_of(const std::string& part) const;
    bool is_on_screen(const std::string& part) const;
    /// Records a part of the next frame as SVG.
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
                &keyboard_,
                &glyphs_,
                recorder_.also(),
                context_.state.figure.bare,
                context_.state.settings.count_from};
    }
    Frame frame_of(Draft& draft, const Ui& ui, const Layout& layout, const LearningRuns& runs);
    std::optional<Frame> beside(const Frame& frame, Draft& draft, const Ui& ui);
    bool take_language();
    std::vector<Command> asked_at_pointer();
    void take_in_jobs();
    void watch_files();
    void begin_frame();
    void play_on();
    void draw(const Frame& frame);
    void draw_zone(const Frame& frame, const Zone& zone);
    void draw_top(const Frame& frame);
    void draw_notice();
    void notice_answer();
    void notice_opened();
    void notice_travel(const Moment& from);
    void notice_model(const Moment& from);
    void request_jobs();
    void request_looked_at();
    void tell(const Command& command);

    friend class StateDoor;  // used by tests

    Carrier carrier_;
    const AppContext& context_ = carrier_.context();
    std::string language_;  // of the texts, followed by + if they have English terms
    Glyphs glyphs_;
    KeyboardFocus keyboard_;
    TypedWords typed_;
    Probe probe_;
    TextureCache textures_;
    Recorder recorder_;
    Dialogs dialogs_;
    Commands commands_;
    std::deque<std::string> to_play_;
    std::function<void(const Command&)> listener_;
    std::shared_ptr<const Result> remembered_;  // the last result whose files were added to the recent ones
    bool closes_ = false;                       // closing was requested during text input
    bool points_beside_ = false;                // the pointer was over the half of the other workspace
    struct {
        std::string words;
        Rect area, place;
    } notice_lies_;                  // the notice over the stage
    double told_at_ = 0;             // ImGui's time of the listener's last command
    double looked_at_files_ = -1e9;  // ImGui's time
    std::time_t drawn_at_ = 0;       // second of the last frame, for content that changes with the clock only
};

}  // namespace vitrine
