#include "tests/monkey/window.h"

#include <imgui_internal.h>

#include <cmath>

#include "app/frame/opening.h"
#include "app/frame/window_commands.h"
#include "app/jobs/inference.h"
#include "app/platform/imgui_compat.h"
#include "app/sessions/session.h"
#include "app/workspace/travel.h"
#include "core/base/error.h"
#include "core/vit/model.h"
#include "core/vit/what_ifs.h"
#include "tests/monkey/record.h"
#include "tests/small_model.h"

namespace vitrine::monkey {

namespace {

constexpr int most_frames = 60, most_settling = 400;

bool is_finite(const Rect& r) {
    return std::isfinite(r.x0) && std::isfinite(r.y0) && std::isfinite(r.x1) && std::isfinite(r.y1);
}

/// What is drawn has places.
void demand_vertices() {
    const ImDrawData* const drawn = ImGui::GetDrawData();
    for (int i = 0; i < drawn->CmdListsCount; ++i)
        for (const ImDrawVert& v : drawn->CmdLists[i]->VtxBuffer)
            if (!std::isfinite(v.pos.x) || !std::isfinite(v.pos.y)) fault("something is drawn at no place");
}

/// What lies under the pointer.
std::string pointed_at(const Probe& probe) {
    const ImVec2 at = ImGui::GetMousePos();
    std::string words = "; under the pointer:";
    for (const auto& [id, item] : probe.items())
        if (item.rect.contains({at.x, at.y})) words += " " + id;
    return words;
}

/// What is told of a failure is a sentence for a user.
void demand_error(const std::string& words) {
    if (words.find('\n') != std::string::npos) fault("an error has two lines: " + words);
    if (words.find("failed inside Vitrine") != std::string::npos) fault("an error is none of ours: " + words);
    if (words.find("not enough memory") != std::string::npos) fault("memory runs out: " + words);
}

}  // namespace

Window::Window(const Zoo& zoo) : input([] { return ImGui::GetTime(); }), zoo_(zoo), context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 800};
    io.DeltaTime = 1.0F / 60;
    set_up_keys();
    Opening opening;
    opening.experiment.model = small_model();
    opening.experiment.image = {"cat", {}};
    app_ = std::make_unique<Shell>(std::move(opening));
    app_->probe().on = true;
    settle();
}

Window::~Window() {
    app_.reset();
    ImGui::DestroyContext(context_);
}

void Window::open_anew() {
    const Session session = app_->session();
    Opening opening;
    opening.state.settings = app_->state().settings;
    app_.reset();
    zoo_.sweep();
    opening.experiment.model = small_model();
    opening.experiment.image = {"sun", {}};
    app_ = std::make_unique<Shell>(std::move(opening));
    app_->probe().on = true;
    app_->restore(session);
}

void Window::frame() {
    aside_.step(*app_);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    if (app_->prepare({size.x, size.y})) use_null_renderer();
    input.apply();
    ImGui::NewFrame();
    app_->frame();
    ImGui::Render();
    demand_frame();
    app_->take_full_screen_request();
    if (!app_->wants_to_quit()) return;
    StateDoor::open(*app_).quit = false;
    open_anew();
}

void Window::frames(int least) {
    for (int i = 0; i < least || (i < most_frames && !input.empty()); ++i) frame();
}

bool Window::settle() {
    frames(2);
    for (int i = 0; i < most_settling; ++i) {
        app_->settle();
        frame();
        const bool answered = std::ranges::all_of(app_->context().workspaces.all(), [](const Workspace& each) {
            return each.shown.result && each.shown.activity.stage == Stage::idle && !each.arrival &&
                   each.shown.result->experiment == each.experiment && !each.measuring.running;
        });
        if (answered && i > 0) return frames(1), true;
    }
    return false;
}

void Window::demand_frame() {
    const ImGuiWindow* const stray = ImGui::FindWindowByName("Debug##Default");
    if (stray != nullptr && stray->Active) fault("something is drawn outside every window");
    const Probe& probe = app_->probe();
    if (!probe.duplicates().empty()) fault("two items share the id " + probe.duplicates().front() + pointed_at(probe));
    for (const auto& [id, item] : probe.items())
        if (!is_finite(item.rect)) fault(id + " has no place");
    demand_vertices();
    demand_error(app_->error());
}

namespace {

std::string told_experiment(const Experiment& e, const Config& config) {
    std::string words = "\n  " + e.model.path.string() + " " + e.model.bundled + " reload " +
                        std::to_string(e.model.reload) + (e.model.learned ? " learned" : "") + " | " + e.image.sample +
                        " " + e.image.path.string() + " |";
    for (const Intervention& each : e.what_ifs) words += " " + to_word(each, config);
    return words;
}

}  // namespace

bool demand_undo(Window& window) {
    if (!window.settle() || !window.app().context().jobs().of<Inference>().latest(window.app().workspace().id).result)
        return false;
    const Workspaces& both = window.app().context().workspaces;
    const Workspace& now = both.visible();
    if (!can_undo_in(window.app().state().room, now.history, undone_in(window.app().state().room)) || now.changed)
        return false;
    if (!now.history.here().same_as(both.moment({}))) return false;
    const Moment before = both.moment({});
    window.app().ask(command::Do{"undo"});
    if (!window.settle() || !window.app().error().empty()) return false;  // what it goes back to may be gone
    if (!window.app().workspace().history.can_redo()) return false;
    window.app().ask(command::Do{"redo"});
    if (!window.settle() || !window.app().error().empty()) return false;
    const Moment after = both.moment({});
    if (after.other.has_value() != before.other.has_value()) fault("undo, then redo, is another number of workspaces");
    if (after.same_as(before)) return true;  // which of two was clicked last does not count
    if (before.other) fault("undo, then redo, shows something else in two workspaces");
    if (!(after.experiment == before.experiment))
        fault("undo, then redo, is another experiment:" + told_experiment(before.experiment, now.config()) +
              told_experiment(after.experiment, now.config()));
    std::string words;
    for (const auto& [name, value] :
         changed_focus({before.focus, before.text_experiment}, {after.focus, after.text_experiment}))
        words += " " + name + "=" + value;
    fault("undo, then redo, looks at something else:" + words);
}

void demand_session(Window& window) {
    if (!window.settle() || window.app().workspace().experiment.model.learned) return;
    const std::string before = to_json(window.app().session());
    const Session read = parse_session(before, "session");
    if (to_json(read) != before) fault("a session is another one when it is read:\n" + before + to_json(read));
    window.app().restore(read);
    if (!window.settle() || !window.app().error().empty()) return;
    const std::string after = to_json(window.app().session());
    if (after != before) fault("a session is gone back to as another:\n" + before + after);
}

}  // namespace vitrine::monkey
