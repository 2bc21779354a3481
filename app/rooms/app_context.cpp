#include "app/rooms/app_context.h"

#include <imgui.h>

#include <utility>

#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/platform/user.h"
#include "core/base/error.h"

namespace vitrine {

AppContext::AppContext(std::function<void()> wake) : jobs_(std::make_unique<Jobs>(std::move(wake))) {}
AppContext::~AppContext() = default;

void AppContext::close_workspace(std::size_t place) {
    const auto all = std::as_const(workspaces).all();
    if (all.size() < 2 || place >= all.size()) return;
    const int id = all[place].id;
    workspaces.close(place);
    jobs().forget(id);
}

void AppContext::open_right_workspace() {
    const bool is_new = workspaces.other() == nullptr;
    Workspace& right = workspaces.add();
    if (is_new && right.shown.result) jobs().of<Inference>().give(right.id, right.shown.result);
    workspaces.show(1);
}

void AppContext::go_to(const Moment& to) {
    if (to.other) {
        open_right_workspace();
        workspaces.show(to.other->left ? 1 : 0);
        workspaces.side_by_side = to.other->side_by_side;
        Workspace& other = *workspaces.other();
        other.go_to({to.other->experiment, to.other->text_experiment, to.other->focus, to.room, other.opening});
    } else if (const auto all = std::as_const(workspaces).all(); all.size() > 1) {
        close_workspace(all[0].experiment == to.experiment ? 1 : 0);
    }
    workspace().go_to(to);
}

std::filesystem::path export_folder(const AppContext& context) {
    return context.playing ? context.scratch->path() : export_folder(context.state.settings);
}

std::filesystem::path model_home(const AppContext& context) {
    if (context.playing) return context.scratch->path();
    const std::string& chosen = context.state.settings.model_folder;
    return chosen.empty() ? home_folder() / "vitrine-models" : std::filesystem::path(chosen);
}

bool is_in_scratch(const AppContext& context, const std::filesystem::path& file) {
    if (!context.scratch) return false;
    std::error_code unreachable;
    const std::filesystem::path from = std::filesystem::weakly_canonical(context.scratch->path(), unreachable),
                                way = std::filesystem::weakly_canonical(file, unreachable).lexically_relative(from);
    return !unreachable && !way.empty() && *way.begin() != "..";
}

void check_may_write(const AppContext& context, const std::filesystem::path& file) {
    if (context.playing && !is_in_scratch(context, file))
        throw Error(file.string() + ": is left as it is, since playing a recording writes only into " +
                    context.scratch->path().string() + "; do it by hand if you want it");
}

void notify(AppContext& context, const std::string& words) {
    constexpr double seconds = 5;
    context.state.notice = words;
    context.state.notice_until = ImGui::GetTime() + seconds;
}

void show_dialog(AppContext& context, const std::string& id) {
    if (id != context.state.dialog) {
        context.drafts.find_text[0] = '\0';
        context.drafts.find_chosen = 0;
    }
    context.state.dialog = id;
    if (!context.state.exporting) context.state.told.clear();  // while files are exported, their report grows and stays
}

}  // namespace vitrine
