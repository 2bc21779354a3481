#include "app/platform/window.h"

#include <chrono>
#include <cstdlib>
#include <optional>

#include "app/commands/commands.h"
#include "app/shell/app.h"
#include "app/shell/session.h"

namespace vitrine {

namespace {

double seconds_since_start() {
    static const auto start = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int window_command(const WindowOptions& o) {
    const std::filesystem::path file = settings_file();
    AppState state;
    std::error_code unreachable;
    const bool first_start = !std::filesystem::exists(file, unreachable);
    state.chrome.settings = load_settings(file);
    if (first_start) state.chrome.settings.language = language_of_environment();
    if (!o.language.empty()) state.chrome.settings.language = o.language;
    state.experiment.model = {o.model.path, o.model.heads};
    state.experiment.image = o.image.empty() ? ImageSource{"cat", {}} : image_source(o.image);
    state.selection.focus.step = step_index("attention");

    std::optional<Session> wanted_session;
    if (std::filesystem::path(o.image).extension() == session_ending) {
        wanted_session = load_session(o.image);
        state.experiment = {wanted_session->model, wanted_session->image, {}};
    }
    const std::vector<std::filesystem::path> left = Autosave::left_behind(file.parent_path());
    if (!left.empty() && !wanted_session) {
        state.chrome.take_away.recovery = left.front();
        state.chrome.dialog = Dialog::recover;
    }

    Window window(state.chrome.settings);
    App app(std::move(state), [] { Window::wake(); });
    const char* const probe_file = std::getenv("VITRINE_PROBE");  // a test outside the process looks there
    app.probe().on = probe_file != nullptr;
    if (wanted_session) app.restore(*wanted_session);
    Autosave autosave(file.parent_path());

    std::string title;
    Settings saved = app.state().chrome.settings;
    Window::Hooks hooks;
    hooks.before_frame = [&] {
        const App::Display display{static_cast<float>(window.width()), static_cast<float>(window.height()),
                                   0.8F * window.content_scale(), 0};
        if (app.prepare(display)) window.upload_fonts();
    };
    hooks.frame = [&] {
        app.frame();
        if (probe_file != nullptr) app.probe().dump(probe_file);
        if (app.state().chrome.settings != saved) save_settings(saved = app.state().chrome.settings, file);
        if (app.shown().result)
            autosave.keep(app.session(), app.state().experiment.model.learned, seconds_since_start());
        if (app.take_full_screen_request()) window.toggle_full_screen();
        if (app.wants_to_quit()) window.close();
        const std::string wanted = app.shown().result ? app.shown().result->image->name + " – Vitrine" : "Vitrine";
        if (wanted != title) window.set_title(title = wanted);
    };
    hooks.busy = [&] { return app.busy() || autosave.waits(); };
    hooks.dropped = [&](const std::vector<std::filesystem::path>& paths) { app.open(paths); };
    window.run(hooks);

    window.remember(app.state().chrome.settings);
    save_settings(app.state().chrome.settings, file);
    return 0;
}

}  // namespace vitrine
