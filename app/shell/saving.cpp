#include "app/shell/saving.h"

#include "app/platform/new_file.h"
#include "app/shell/export_commands.h"
#include "app/shell/session.h"
#include "app/shell/session_commands.h"
#include "app/workspace/recent.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace fs = std::filesystem;

void save_session_as(House& house, const fs::path& file) {
    check_may_write(house, file);
    Workspace& w = house.workspace();
    if (file.has_parent_path()) make_folder(file.parent_path());
    Session s = session_of(house);
    fs::path model;
    if (const auto& learned = w.experiment.model.learned) {
        std::error_code error;
        const bool kept = w.own().of_model == w.experiment.model && fs::exists(w.own().model, error);
        model = kept ? w.own().model : unused(file.parent_path() / "trained-model");
        if (!kept) save_model(*learned, model, Precision::f32);
        s.model.path = model;
    }
    save_session(s, file);
    w.own() = {file, model, w.experiment.model, w.experiment.image};
    remember(house.state.settings, FileKind::session, file);
    tell_written(house, file, "session.saved");
    house.state.error.clear();
}

fs::path file_to_save(const House& house) {
    const fs::path own = house.workspace().own_session();
    return own.empty() ? next_export(house, session_ending) : own;
}

void save_this_session(House& house) { save_session_as(house, file_to_save(house)); }

}  // namespace vitrine
