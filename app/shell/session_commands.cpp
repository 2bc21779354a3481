#include <utility>

#include "app/platform/new_file.h"
#include "app/rooms/room.h"
#include "app/shell/autosave.h"
#include "app/shell/carry_out.h"
#include "app/shell/export_commands.h"
#include "core/checkpoint/save.h"
#include "core/error.h"

// The visible workspace as a session: kept, saved, and taken up again.

namespace vitrine {

namespace {

namespace fs = std::filesystem;

bool is_model(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return true;
    const std::string ending = path.extension().string();
    static const std::vector<std::string> endings = {".safetensors", ".bin",  ".pt",   ".pth",
                                                     ".npz",         ".onnx", ".gguf", ".json"};
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

bool is_lesson(const fs::path& path) { return path.extension() == ".txt" || path.extension() == ".lesson"; }

}  // namespace

Command command_to_open(const fs::path& path) {
    if (path.extension() == session_ending) return command::OpenSession{path};
    if (is_lesson(path)) return command::OpenLesson{path.string()};
    if (!is_model(path)) return command::OpenImage{{{}, path}};
    std::error_code ignored;
    const bool configuration = path.extension() == ".json" && !fs::is_directory(path, ignored);
    return command::OpenModel{{configuration ? path.parent_path() : path, {}}};
}

Session session_of(const House& house) {
    const Workspace& w = house.workspace();
    return session_of(w.experiment, w.selection.focus, house.state.room, w.motion.time);
}

void restore(House& house, const Session& session) {
    Workspace& w = house.workspace();
    w.experiment = {session.model, session.image, {}};
    w.motion = {session.time, false};
    w.arrival = Workspace::Arrival{session.focus, session.what_ifs, {}};
    enter_room(house, session.room);
}

void save_this_session(House& house) {
    Session s = session_of(house);
    const fs::path file = new_export(house, session_ending);
    if (const auto& learned = house.workspace().experiment.model.learned) {
        s.model.path = unused(file.parent_path() / "trained-model");
        save_model(*learned, s.model.path, Precision::f32);
    }
    save_session(s, file);
    tell_written(house, file);
}

/// The file stays until what it names is there.
void recover(House& house) {
    const fs::path file = std::exchange(house.state.recovery, {});
    show_dialog(house, "");
    Session s = load_session(file);
    const fs::path model = Autosave::model_of(file);
    if (std::error_code error; s.model.path == model && fs::exists(model, error)) {
        const fs::path folder = export_folder(house.state.settings);
        fs::create_directories(folder, error);
        s.model.path = unused(folder / "trained-model");
        fs::copy(model, s.model.path, error);
        if (error) throw Error(s.model.path.string() + ": the model cannot be kept there; choose another folder");
        save_session(s, file);
        fs::remove_all(model, error);
    }
    restore(house, s);
    house.workspace().arrival->file = file;
}

void forget_recovery(House& house) {
    Autosave::forget(std::exchange(house.state.recovery, {}));
    show_dialog(house, "");
}

const Measured* measured_in_view(const House& house) {
    const Workspace& w = house.workspace();
    const bool there = room_of(house.state.room).measures && w.measured && w.shown.result &&
                       w.measured->of->model == w.shown.result->model;
    return there ? w.measured.get() : nullptr;
}

}  // namespace vitrine
