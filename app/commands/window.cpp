#include "app/platform/window.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/jobs/writer.h"
#include "app/rooms/explore/steps/step.h"
#include "app/shell/autosave.h"
#include "app/shell/session.h"
#include "app/shell/shell.h"
#include "app/workspace/library.h"

namespace vitrine {

namespace {

/// What the window begins with: what the command line names, else what is bundled.
Opening opening_of(const WindowOptions& o, const std::optional<Session>& session) {
    Opening opening;
    opening.experiment.model = {o.model.path, o.model.heads};
    opening.experiment.image = o.image.empty() ? ImageSource{"cat", {}} : image_source(o.image);
    opening.selection.focus.step = step_index("attention");
    if (session) opening.experiment = {session->model, session->image, {}};
    return opening;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw Error(file.string() + ": there is no such recording, or it cannot be read; check the path");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

/// Writes every command as a line, the first ones being those that make a fresh window the same as this one.
class Recording {
public:
    explicit Recording(const std::filesystem::path& file) : out_(file) {
        if (!out_)
            throw Error(file.string() + ": cannot be written; choose a folder that exists and may be written to");
    }
    void begin(const House& house) {
        for (const Command& command : commands_to(house)) write(command);
    }
    /// All but what would take the window away from who plays it.
    void write(const Command& command) {
        const auto* const row = std::get_if<command::Do>(&command);
        if (row == nullptr || (row->id != "quit" && row->id != "full_screen")) out_ << to_line(command) << std::endl;
    }

private:
    std::ofstream out_;
};

}  // namespace

int window_command(const WindowOptions& o) {
    const std::filesystem::path file = settings_file();
    std::optional<Session> wanted_session;
    if (std::filesystem::path(o.image).extension() == session_ending) wanted_session = load_session(o.image);
    const std::vector<std::string> recorded = o.play.empty() ? std::vector<std::string>() : lines_of(o.play);
    Opening opening = opening_of(o, wanted_session);
    Settings& settings = opening.state.settings;
    std::error_code unreachable;
    const bool first_start = !std::filesystem::exists(file, unreachable);
    settings = load_settings(file);
    if (first_start) settings.language = language_of_environment();
    if (!o.language.empty()) settings.language = o.language;
    const std::vector<std::filesystem::path> left = Autosave::left_behind(file.parent_path());
    if (!left.empty() && !wanted_session) {
        opening.state.recovery = left.front();
        opening.state.dialog = "recover";
    }

    OutputGuard guard = guard_of(false, opening.experiment.model, opening.experiment.image);
    guard.reads(o.play);
    guard.reads(o.image);
    const bool remembers = o.play.empty();  // what is played changes nobody's settings

    Window window(settings.window);
    Shell shell(std::move(opening), [] { Window::wake(); });
    const char* const probe_file = std::getenv("VITRINE_PROBE");  // a test outside the process looks there
    shell.probe().on = probe_file != nullptr;
    shell.play(recorded);
    std::optional<Recording> recording;
    if (!o.record.empty()) {
        guard.check(o.record);
        recording.emplace(o.record);
        recording->begin(shell.house());
        shell.listen([&](const Command& command) { recording->write(command); });
    }
    if (wanted_session) shell.ask(command::OpenSession{o.image});
    Writer writer(Writer::once_a_second, [] { Window::wake(); });
    Autosave autosave(file.parent_path(), writer);

    std::string title;
    Settings saved = shell.state().settings;
    Window::Hooks hooks;
    hooks.before_frame = [&] {
        const Shell::Display display{static_cast<float>(window.width()), static_cast<float>(window.height()),
                                     0.8F * window.content_scale(), 0};
        if (shell.prepare(display)) window.upload_fonts();
    };
    hooks.frame = [&] {
        shell.frame();
        if (probe_file != nullptr) shell.probe().dump(probe_file);
        if (remembers && shell.state().settings != saved) writer.write(file, to_json(saved = shell.state().settings));
        if (shell.shown().result) autosave.keep(shell.session(), shell.workspace().experiment.model.learned);
        if (std::string failure = writer.take_failure(); !failure.empty()) shell.tell_error(std::move(failure));
        if (shell.take_full_screen_request()) window.toggle_full_screen();
        if (shell.wants_to_quit()) window.close();
        const std::string wanted = shell.shown().result ? shell.shown().result->image->name + " – Vitrine" : "Vitrine";
        if (wanted != title) window.set_title(title = wanted);
    };
    hooks.busy = [&] { return shell.busy(); };
    hooks.dropped = [&](const std::vector<std::filesystem::path>& paths) { shell.open(paths); };
    window.run(hooks);

    window.remember(shell.state().settings.window);
    if (remembers) writer.write(file, to_json(shell.state().settings));
    writer.finish();
    if (const std::string failure = writer.take_failure(); !failure.empty())
        std::fprintf(stderr, "vitrine: %s\n", failure.c_str());
    return 0;
}

}  // namespace vitrine
