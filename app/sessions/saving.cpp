#include "app/sessions/saving.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/exports/export_commands.h"
#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/platform/new_file.h"
#include "app/sessions/session.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/recent.h"
#include "core/files/safetensors.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace fs = std::filesystem;

void save_session_as(AppContext& context, const fs::path& file) {
    check_may_write(context, file);
    const Workspace& w = context.workspace();
    if (file.has_parent_path()) make_folder(file.parent_path());
    context.state.error.clear();
    const auto own = w.own_files.find(w.opening);
    const bool has_own = own != w.own_files.end() && own->second.of_model == w.experiment.model;
    const auto saved = std::make_shared<Workspace::OwnFile>(
        Workspace::OwnFile{file, has_own ? own->second.model : fs::path(), w.experiment.model, w.experiment.image});
    const Workspace* const other = context.workspaces.other();
    Session session = session_of(context);
    if (other != nullptr) add_run_beside(context, session);
    const auto write = [saved, session = std::move(session),
                        learned_beside = other == nullptr ? nullptr : other->experiment.model.learned]() mutable {
        if (const auto& learned = saved->of_model.learned) {
            std::error_code error;
            const bool kept = !saved->model.empty() && fs::exists(saved->model, error);
            if (!kept) saved->model = unused(saved->session.parent_path() / "trained-model");
            if (!kept) save_model(*learned, saved->model, Precision::f32);
            session.model.path = saved->model;
        }
        if (learned_beside != nullptr) {
            session.other->experiment.model.path = unused(saved->session.parent_path() / "trained-model");
            save_model(*learned_beside, session.other->experiment.model.path, Precision::f32);
        }
        save_session(session, saved->session);
        return saved->session;
    };
    begin_report(context);
    context.jobs().of<Saving>().save(write, [&context, saved, opening = w.opening](const fs::path& written) {
        context.workspace().own_files[opening] = *saved;
        remember(context.state.settings, FileKind::session, written);
        report_written(context, written, "session.saved");
        if (context.state.dialog == "save_as") show_dialog(context, "");
    });
}

fs::path file_to_save(const AppContext& context) {
    const fs::path own = context.workspaces.own_session();
    return own.empty() ? next_export(context, session_ending) : own;
}

void save_this_session(AppContext& context) { save_session_as(context, file_to_save(context)); }

bool take_saved(AppContext& context) {
    const std::vector<std::string> failures = context.jobs().of<Saving>().take_ends();
    for (const std::string& failure : failures) context.state.error = failure;
    return failures.empty();
}

bool finish_saving(AppContext& context) {
    context.jobs().of<Saving>().wait();
    return take_saved(context);
}

}  // namespace vitrine
