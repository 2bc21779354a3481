#include "app/sessions/session_commands.h"

#include <algorithm>
#include <utility>

#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/lecture/commands.h"
#include "app/lecture/stops.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/library/source_words.h"
#include "app/platform/new_file.h"
#include "app/rooms/command_row.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/autosave.h"
#include "app/sessions/finished_runs.h"
#include "app/sessions/kept_sessions.h"
#include "app/ui/message_words.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "app/workspace/photo_model.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/files/open_tensors.h"
#include "core/files/video.h"
#include "core/training/own_pictures.h"
#include "core/transformer/edits.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

bool is_model(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return true;
    const std::string ending = ending_of(path);
    const auto is_one_of = [&](std::span<const std::string_view> endings) {
        return std::ranges::find(endings, ending) != endings.end();
    };
    return ending == ".json" || is_one_of(weight_endings()) || is_one_of(foreign_weight_endings());
}

/// True for a folder with pictures by class and without a model.
bool holds_own_pictures(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) && !fs::exists(path / "config.json", ignored) &&
           !own_pictures_in(path).labels.empty();
}

bool is_lesson(const fs::path& path) { return path.extension() == ".txt" || path.extension() == ".lesson"; }

/// The source to open for a chosen image. If the image is open already, its file is read again only if it has changed.
ImageSource reloaded_if_changed(AppContext& context, ImageSource image) {
    if (image.path.empty()) return image;
    const auto shows = [&](const Workspace& w) {
        return w.shown.result != nullptr && w.shown.result->image->source.same_image(image);
    };
    const auto has_changed = [](const Workspace& w) { return changed_on_disk(*w.shown.result->image); };
    const Workspace& here = context.workspace();
    const ImageSource& open = here.experiment.image;
    if (shows(here) && open.same_image(image) && !has_changed(here)) return open;
    if (std::ranges::any_of(context.workspaces.all(), [&](const Workspace& w) { return shows(w) && has_changed(w); }))
        image.reload = ++context.image_reloads;
    return image;
}

}  // namespace

void show_run(AppContext& context) {
    State& state = context.state;
    state.error.clear();
    if (state.dialog.starts_with("open_")) state.opened_from = state.dialog;
    show_dialog(context, "");
    if (answers_of(state.room).work.run == nullptr) enter_room(context, std::string(rooms().front().id));
}

void show_image(AppContext& context, const ImageSource& wanted) {
    const ImageSource image = reloaded_if_changed(context, wanted);
    const ImageSource before = std::exchange(context.workspace().experiment.image, image);
    show_run(context);
    if (!before.path.empty() && image.path.empty() && !context.state.lecture.on)
        notify(context, context.text("image.instead", {{"name", before.path.filename().string()},
                                                       {"undo", chord_words({Key::z, true})}}));
}

void show_model(AppContext& context, const ModelSource& wanted) {
    Experiment& experiment = context.workspace().experiment;
    // Alone, a model draws the sample in its own style; beside another run, one picture goes through both.
    if (context.workspaces.other() != nullptr)
        experiment.image = with_set(experiment.image, context.workspace().pictures().scenes);
    experiment.model = chosen_again(wanted, experiment.model);
    experiment.what_ifs.clear();
    context.workspace().arrival.reset();
    show_run(context);
}

void execute(const command::ChangeModelSetting& c, AppContext& context) {
    Workspace& w = context.workspace();
    Experiment& experiment = w.experiment;
    const ModelSource wanted = with_setting(experiment.model, c.setting, c.value);
    if (!wanted.same_weights(experiment.model)) return show_model(context, wanted);
    // A model that is still being opened checks the setting itself.
    if (w.shown.result && w.shows_requested_model()) with_settings_of(wanted, w.shown.result->model);
    experiment.model = wanted;
    std::erase_if(experiment.what_ifs, [](const Intervention& i) { return names_tokens(i); });
    w.changed = true;
}

Command command_to_open(const fs::path& path) {
    if (path.extension() == session_ending) return command::OpenSession{path};
    if (is_lesson(path)) return command::OpenLesson{path.string()};
    if (is_video(path)) return command::PlayStream{path};
    if (!is_model(path)) return command::OpenImage{{{}, path}};
    std::error_code ignored;
    if (holds_own_pictures(path)) return command::LearnOwnPictures{path};
    const bool configuration = path.extension() == ".json" && !fs::is_directory(path, ignored);
    return command::OpenModel{{configuration ? path.parent_path() : path, {}}};
}

namespace {

/// A workspace's session. It never has a frame of a stream: during one it has the image shown before the stream.
Session session_without_frame(const AppContext& context, const Workspace& w) {
    Session s = session_of(w, context.state.room);
    if (!s.image.lasts()) s.image = context.state.stream.before;
    if (w.arrival && w.arrival->what_ifs) s.what_ifs = *w.arrival->what_ifs;
    if (w.shows_requested_model()) s.image = with_set(s.image, w.pictures().scenes);
    return s;
}

}  // namespace

Session session_of(const AppContext& context) {
    Session s = session_without_frame(context, context.workspace());
    const Workspace* const other = context.workspaces.other();
    if (other != nullptr && !other->experiment.model.learned) add_run_beside(context, s);
    return s;
}

Session last_state_of(const AppContext& context) {
    Session s = session_of(context);
    const Lecture& lecture = context.state.lecture;
    if (lecture.on) s.lecture = stop_now(lecture).value_or(StopOfLesson());
    return s;
}

void add_run_beside(const AppContext& context, Session& session) {
    const Workspaces& both = context.workspaces;
    const Session s = session_without_frame(context, *both.other());
    session.other = {{s.model, s.image, {}}, s.text_experiment, s.focus, both.shown() == 1, both.side_by_side};
    session.other_what_ifs = s.what_ifs;
}

namespace {

/// Requests a session's run in a workspace; view and what-ifs are applied once its model is open.
void restore_run(Workspace& w, const Session& session) {
    w.experiment = {session.model, session.image, {}};
    w.motion = {session.time, false};
    w.roles = {};  // of the previous lesson's stop
    w.arrival = Workspace::Arrival{session.text_experiment, session.focus, session.what_ifs, {}};
    w.changed = true;
}

}  // namespace

void restore(AppContext& context, const Session& session) {
    if (const auto& other = session.other) {
        context.open_right_workspace();
        context.workspaces.show(other->left ? 1 : 0);
        context.workspaces.side_by_side = other->side_by_side;
        restore_run(*context.workspaces.other(), other_of(session));
    }
    restore_run(context.workspace(), session);
    context.workspace().begin_session();
    context.state.opened_at = 0;
    enter_room(context, session.room);
}

namespace {

/// Restores an earlier session, with a notice if it replaces work.
void restore_kept(AppContext& context, const Session& session, const KeptSession& kept) {
    const bool at_work = context.workspace().history.can_undo();
    restore(context, session);
    context.state.opened_at = kept.at;
    if (!at_work || context.state.lecture.on) return;
    const std::string undo = chord_words({Key::z, true});
    notify(context, context.text("session.instead", {{"what", words_of(context.text, kept)}, {"undo", undo}}));
}

/// Continues the lecture that was on; reports an error if its lesson cannot be opened.
void resume(AppContext& context, const Session& session) {
    if (!session.lecture) return;
    try {
        resume_lecture(context, *session.lecture);
    } catch (const Error& error) {
        context.state.error = error.what();
    }
}

}  // namespace

void execute(const command::OpenSession& c, AppContext& context) {
    State& state = context.state;
    context.jobs().of<Saving>().wait();  // a save may still be writing that file
    restore_kept(context, load_session(c.file), kept_session(c.file));
    const Workspace& w = context.workspace();
    context.workspace().own() = {c.file, {}, w.experiment.model, w.experiment.image};
    remember(state.settings, FileKind::session, c.file);
    state.error.clear();
    if (state.dialog.starts_with("open_")) state.opened_from = state.dialog;
    if (state.dialog != "recover") show_dialog(context, "");  // the dialog still lists the other sessions
}

void continue_session(AppContext& context) {
    const std::optional<KeptSession> last = std::exchange(context.state.last, {});
    show_dialog(context, "");
    if (!last) return;
    const Session session = load_session(last->file);
    restore_kept(context, session, *last);
    context.state.error.clear();
    resume(context, session);
}

void list_recents(AppContext& context) {
    const Settings& settings = context.state.settings;
    const auto recent = [&](FileKind kind) { return recent_files(settings, kind); };
    std::vector<LessonRow> lessons;
    for (const fs::path& file : recent(FileKind::lesson)) lessons.push_back(lesson_row_of(file));
    context.state.recents = {recent(FileKind::image), recent(FileKind::model), std::move(lessons),
                             kept_sessions(recent(FileKind::session))};
    context.state.photo_model = photo_model(settings);
}

/// The file stays until its image and model are open.
void recover(AppContext& context, const fs::path& file) {
    check_may_write(context, file);
    const auto& left = context.state.left;  // still offered if this fails
    const auto offered = std::ranges::find(left, file, &KeptSession::file);
    if (offered == left.end()) throw Error(file.string() + ": was not left by a window; open it as a session");
    Session s = load_session(file);
    const fs::path model = Autosave::model_of(file);
    if (std::error_code error; s.model.path == model && fs::exists(model, error)) {
        const fs::path folder = export_folder(context);
        fs::create_directories(folder, error);
        s.model.path = unused(folder / "trained-model");
        fs::copy(model, s.model.path, error);
        if (error) throw Error(s.model.path.string() + ": the model cannot be kept there; choose another folder");
        save_session(s, file);
        fs::remove_all(model, error);
    }
    const KeptSession kept = *offered;
    const KeptRuns trained = Autosave::read_runs(file);
    const std::optional<LearningState> runs =
        s.learning.empty() ? std::nullopt : std::optional(parse_learning(s.learning));
    restore_kept(context, s, kept);
    save_finished_runs(context, trained);
    if (runs) {
        continue_runs(context, *runs, trained);
        if (const std::string lost = lost_training(context.text, kept); !lost.empty())
            context.state.saved_told = warning_words(context.text("recover.start_again", {{"lost", lost}}));
    }
    context.workspace().arrival->file = file;
    std::erase_if(context.state.left, [&](const KeptSession& other) { return other.file == file; });
    show_dialog(context, "");
    resume(context, s);
}

void discard_left(AppContext& context) {
    State& state = context.state;
    for (const KeptSession& kept : state.left) check_may_write(context, kept.file);
    state.discarded.insert(state.discarded.end(), state.left.begin(), state.left.end());
    state.left.clear();
    if (state.dialog == "start") return;  // the start page itself offers to undo this
    show_dialog(context, "");
    notify(context, context.text("recover.discarded", {{"undo", chord_words({Key::z, true})}}));
}

void offer_discarded(AppContext& context) {
    State& state = context.state;
    state.left.insert(state.left.end(), state.discarded.begin(), state.discarded.end());
    state.discarded.clear();
    if (state.dialog != "start") show_dialog(context, "recover");
    notify(context, "");
}

void delete_discarded(AppContext& context) {
    State& state = context.state;
    if (state.dialog == "start" || !state.notice.empty()) return;
    for (const KeptSession& kept : std::exchange(state.discarded, {})) Autosave::forget(kept.file);
}

}  // namespace vitrine
