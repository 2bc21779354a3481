#include "app/platform/window.h"

#include <imgui.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "app/chapters/step.h"
#include "app/commands/commands.h"
#include "app/commands/drawing/lecture_windows.h"
#include "app/exports/offscreen_drawing.h"
#include "app/exports/output_folder.h"
#include "app/frame/learning_commands.h"
#include "app/frame/opening.h"
#include "app/frame/shell.h"
#include "app/jobs/writer.h"
#include "app/library/library.h"
#include "app/platform/child_process.h"
#include "app/platform/clipboard.h"
#include "app/platform/new_file.h"
#include "app/platform/user.h"
#include "app/rooms/learning/learning_state.h"
#include "app/sessions/autosave.h"
#include "app/sessions/closing.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/session.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/command.h"
#include "app/workspace/photo_model.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"

namespace vitrine {

namespace {

/// True if the command line names an image, rather than a session, a lesson or a model.
bool is_image(const std::string& named) {
    return !named.empty() && std::holds_alternative<command::OpenImage>(command_to_open(named));
}

/// The initial session: what the command line names, else the bundled model and picture.
Opening opening_session(const WindowOptions& o, const std::optional<Session>& session) {
    if (o.image.empty() && o.model.path.empty()) return first_opening();
    Opening opening;
    opening.experiment.model = o.model.source();
    opening.experiment.image = is_image(o.image) ? image_source(o.image) : ImageSource{"cat", {}};
    opening.selection.focus.step = step_index("attention");
    if (session) opening.experiment = {session->model, session->image, {}};
    return opening;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    constexpr std::size_t most_bytes = 64 << 20;
    std::istringstream in(words_of_file(file, most_bytes));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

/// Writes every command as a line, after commands that lead from a new window to the current state.
class Recording {
public:
    explicit Recording(const std::filesystem::path& file) : out_(file) {
        if (!out_)
            throw Error(file.string() + ": cannot be written; choose a folder that exists and may be written to");
    }
    void begin(const AppContext& context) {
        for (const Command& command : commands_to(context)) write(command, context.workspace().config());
    }
    /// Writes a command, except those that would close or resize the window in which the recording is played.
    void write(const Command& command, const Config& config) {
        const auto* const row = std::get_if<command::Do>(&command);
        if (row == nullptr || (row->id != "quit" && row->id != "full_screen"))
            out_ << to_line(command, config) << std::endl;
    }

private:
    std::ofstream out_;
};

/// Saves settings and session while the window is open.
class Keeper {
public:
    /// `loaded`: the content of the settings file; none if settings must not be written, as while a recording plays.
    Keeper(std::filesystem::path file, const std::optional<Settings>& loaded, const Settings& now)
        : file_(std::move(file)),
          remembers_(loaded.has_value()),
          saved_(now),
          maximised_(now.window.maximised),
          written_(std::make_shared<Settings>(loaded.value_or(Settings()))),
          writer_(Writer::once_a_second, [] { Window::wake(); }),
          autosave_(file_.parent_path(), writer_) {}

    std::filesystem::path folder() const { return file_.parent_path(); }
    /// False while a recording is played: then settings are not saved, and other windows' sessions are left alone.
    bool remembers() const { return remembers_; }

    /// Saves changed settings, including whether the window is maximised, and the session.
    void after_frame(Shell& shell, const Window& window) {
        WindowPlace place = shell.state().settings.window;
        window.remember(place);
        if (remembers_ && (shell.state().settings != saved_ || place.maximised != maximised_)) {
            Settings settings = saved_ = shell.state().settings;
            settings.window = place;
            maximised_ = place.maximised;
            write(settings);
        }
        if (shell.shown().result && !shell.state().stream.on()) {
            Session session = last_state_of(shell.context());
            if (!std::exchange(begun_, true)) autosave_.begin(session, shell.state().opened_at);
            const KeptRuns runs = keep_runs(shell.context(), session);
            autosave_.keep(std::move(session), shell.workspace().experiment.model.learned, runs);
        }
        if (std::string failure = writer_.take_failure(); !failure.empty()) shell.report_error(std::move(failure));
    }
    /// Called when the window closes: also saves its position.
    void end(const Shell& shell, const Window& window) {
        Settings settings = shell.state().settings;
        window.remember(settings.window);
        if (remembers_) {
            write(settings);
            leave_open(shell.context(), folder(), writer_);
            for (const KeptSession& kept : shell.state().discarded) Autosave::forget(kept.file);
        }
        writer_.finish();
        if (const std::string failure = writer_.take_failure(); !failure.empty())
            std::fprintf(stderr, "vitrine: %s\n", failure.c_str());
    }

private:
    /// Writes the changes since the last write, merged with other windows' changes.
    void write(const Settings& settings) {
        writer_.write(file_, [written = written_, settings, file = file_] {
            save_settings(*written, settings, file);
            *written = settings;
        });
    }

    const std::filesystem::path file_;
    const bool remembers_;
    Settings saved_;                           // last handed to the writer
    bool maximised_;                           // whether the window was, at that time
    const std::shared_ptr<Settings> written_;  // last written to the file; used only by the writer's thread
    Writer writer_;
    Autosave autosave_;
    bool begun_ = false;  // a run has been shown
};

/// The stored settings; at first start with the environment's language, and always with a requested one.
Settings settings_for(const WindowOptions& o, Settings settings, bool first_start) {
    if (first_start) settings.language = language_of_locale(user_locale());
    if (!o.language.empty()) settings.language = o.language;
    o.model.change(settings);
    return settings;
}

/// Offers sessions of killed windows: on the start page, or in a dialog if the command line names what to open.
void offer_what_was_open(State& state, const std::filesystem::path& folder, const WindowOptions& o) {
    if (!o.play.empty()) return;
    const bool named = !o.image.empty() || !o.model.path.empty() || !o.record.empty() || !o.stream.empty();
    if (state.settings.start_page && !named) state.dialog = "start";
    offer_recovery(state, folder);
    state.photo_model = photo_model(state.settings);
    std::error_code error;
    if (const auto last = last_session_file(folder); std::filesystem::exists(last, error)) {
        state.last = kept_session(last);
        if (state.last->image.empty()) state.last.reset();  // invalid
    }
}

/// Selects the tab of the Train room that was shown last.
void show_remembered_tab(State& state) { state.learning.own = state.learning.text.own = state.settings.own_runs; }

/// Opens a URL in the browser, or copies it to the clipboard if there is none.
void open_link(const std::string& address, Shell& shell) {
    if (!address.empty()) shell.report_link(address, open_in_browser(address));
}

/// Opens the clipboard's content: files, a picture, which is saved in `folder`, or the files that a text names.
void paste(Shell& shell, const std::filesystem::path& folder) {
    const Pasted pasted = read_clipboard();
    std::vector<std::filesystem::path> files = pasted.files;
    try {
        if (files.empty() && !pasted.picture.empty()) {
            std::filesystem::create_directories(folder);
            files.push_back(unused(folder / ("pasted" + pasted.ending)));
            replace_file(files.back(), pasted.picture);
        }
    } catch (const std::exception& error) {
        return shell.report_error(error.what());
    }
    const char* const text = files.empty() ? ImGui::GetClipboardText() : nullptr;
    if (text != nullptr) files = files_named_in(text);
    if (files.empty()) return shell.report_error(shell.text()(pasted.lacks_wl_paste ? "paste.wayland" : "paste.none"));
    shell.open(files);
}

void run_window(Window& window, Shell& shell, Keeper& keeper) {
    const char* const probe_file = std::getenv("VITRINE_PROBE");  // for a test outside the process
    shell.probe().on = probe_file != nullptr;
    std::string title;
    std::time_t looked = 0;  // second of the last search for sessions left behind
    OffscreenDrawing aside([] { Window::wake(); });
    LectureWindows windows(window, shell, probe_file);
    Window::Hooks hooks;
    hooks.before_frame = [&] {
        aside.step(shell);
        windows.draw_stops();
        const Shell::Display display{static_cast<float>(window.width()), static_cast<float>(window.height()),
                                     0.8F * window.content_scale(), 0};
        if (shell.prepare(display)) window.upload_fonts();
    };
    hooks.frame = [&] {
        shell.frame();
        if (probe_file != nullptr) shell.probe().dump(probe_file);
        keeper.after_frame(shell, window);
        open_link(shell.take_link(), shell);
        if (shell.take_paste_request()) paste(shell, keeper.folder() / "pasted");
        if (shell.take_full_screen_request()) windows.toggle_full_screen();
        windows.follow();
        if (shell.wants_to_quit()) window.close();
        if (const std::string wanted = shell.title(); wanted != title) window.set_title(title = wanted);
    };
    // The lock of a window killed a moment ago may be held until its process is gone: an idle start page therefore
    // searches again, without drawing.
    const auto look_for_what_was_left = [&] {
        const std::time_t now = std::time(nullptr);
        if (!keeper.remembers() || shell.state().dialog != "start" || std::exchange(looked, now) == now) return;
        const std::vector<KeptSession> before = shell.state().left;
        shell.take_in(arrival::Left{keeper.folder()});
        if (shell.state().left != before) Window::wake();
    };
    hooks.busy = [&] {
        look_for_what_was_left();
        return shell.busy() || windows.busy();
    };
    hooks.dropped = [&](const std::vector<std::filesystem::path>& paths) { shell.open(paths); };
    hooks.may_close = [&] { return shell.may_close(); };
    window.run(hooks);
}

}  // namespace

int window_command(const WindowOptions& o) {
    const std::filesystem::path file = settings_file();
    std::optional<Session> wanted_session;
    if (std::filesystem::path(o.image).extension() == session_ending) wanted_session = load_session(o.image);
    const std::vector<std::string> recorded = o.play.empty() ? std::vector<std::string>() : lines_of(o.play);
    Opening opening = opening_session(o, wanted_session);
    std::error_code unreachable;
    const bool first_start = !std::filesystem::exists(file, unreachable);
    const Settings loaded = load_settings(file);
    opening.state.settings = settings_for(o, loaded, first_start);
    if (!wanted_session) show_remembered_tab(opening.state);
    offer_what_was_open(opening.state, file.parent_path(), o);
    if (!o.record.empty()) {
        OutputGuard guard = guard_of(false, opening.experiment.model, opening.experiment.image);
        guard.reads(o.play);
        guard.reads(o.image);
        guard.check_is_not_read(o.record);
        std::error_code error;
        if (std::filesystem::file_size(o.record, error) > 0 && !error && !is_ours(o.record))
            throw Error(o.record.string() + ": exists and is not a recording of Vitrine's; choose another name");
    }

    Window window(opening.state.settings.window);
    Shell shell(std::move(opening), [] { Window::wake(); });
    if (!wanted_session && !o.image.empty() && !is_image(o.image)) shell.ask_with_a_run(command_to_open(o.image));
    if (!o.stream.empty()) shell.ask_with_a_run(command::PlayStream{o.stream});
    shell.play(recorded);
    std::optional<Recording> recording;
    if (!o.record.empty()) {
        recording.emplace(o.record);
        recording->begin(shell.context());
        shell.listen([&](const Command& command) { recording->write(command, shell.context().workspace().config()); });
    }
    if (wanted_session) shell.ask(command::OpenSession{o.image});
    Keeper keeper(file, o.play.empty() ? std::optional(loaded) : std::nullopt, shell.state().settings);
    run_window(window, shell, keeper);
    keeper.end(shell, window);
    return 0;
}

}  // namespace vitrine
