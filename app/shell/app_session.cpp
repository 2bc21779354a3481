#include <algorithm>

#include "app/platform/folder.h"
#include "app/platform/new_file.h"
#include "app/shell/app.h"
#include "core/checkpoint/save.h"
#include "core/error.h"
#include "core/intervention.h"
#include "core/provenance.h"

// The whole state as a session: kept, saved, and taken up again.

namespace vitrine {

namespace fs = std::filesystem;

Session App::session() const {
    return session_of(state_.experiment, state_.selection.focus, state_.chrome.mode, state_.motion.time);
}

void App::restore(const Session& session) {
    state_.experiment = {session.model, session.image, {}};
    state_.chrome.mode = session.mode;
    state_.motion = {session.time, false};
    focus_to_come_ = session.focus;
    restoring_ = session;
}

/// What was wanted of a model that is there now; what-ifs that it does not have are told.
void App::take_restored_focus() {
    state_.selection.focus = *std::exchange(focus_to_come_, {});
    const Result& now = *shown_.result;
    state_.selection.clamp_to(now.model->config);
    std::optional<Cell>& cell = state_.selection.focus.cell;
    if (cell && !exists({*now.model, now.trace, now.experiment.what_ifs}, *cell)) cell.reset();
    std::error_code ignored;
    if (!recovered_.empty()) fs::remove(std::exchange(recovered_, {}), ignored);
    if (!restoring_) return;
    try {
        state_.experiment.what_ifs = what_ifs_of(*std::exchange(restoring_, {}), now.model->config);
    } catch (const Error& error) {
        error_ = error.what();
    }
    arrived_ = {state_.experiment, state_.selection.focus};
}

void App::save_this_session() {
    Session s = session();
    const fs::path file = new_file(session_ending);
    if (const auto& learned = state_.experiment.model.learned) {
        s.model.path = unused(file.parent_path() / "trained-model");
        save_model(*learned, s.model.path, Precision::f32);
    }
    save_session(s, file);
    tell_written(file);
}

std::vector<fs::path> App::sessions_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& entry : entries_of(folder))
        if (entry.extension() == session_ending) files.push_back(entry);
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        std::error_code ignored;
        return fs::last_write_time(a, ignored) > fs::last_write_time(b, ignored);
    });
    return files;
}

}  // namespace vitrine
