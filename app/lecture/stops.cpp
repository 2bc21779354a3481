#include "app/lecture/stops.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/workspace/keep_inside.h"
#include "app/workspace/recent.h"
#include "core/vit/model.h"
#include "core/vit/provenance.h"

namespace vitrine {

std::string source_of(const std::string& named) {
    if (is_bundled_lesson(named)) return named;
    std::error_code ignored;
    return std::filesystem::absolute(named, ignored).lexically_normal().string();
}

void open_lesson(AppContext& context, const std::string& named) {
    const std::string source = source_of(named);
    if (context.state.lecture.unwritten.contains(source)) context.jobs().of<Saving>().wait();
    const FileStamp stamp = is_bundled_lesson(source) ? FileStamp() : stamp_of(source);
    show_lesson(context, load_lesson(source), stamp);
}

void show_lesson(AppContext& context, Lesson lesson, const FileStamp& stamp) {
    Lecture& lecture = context.state.lecture;
    Settings& settings = context.state.settings;
    const std::string source = lesson.source;
    const bool another = !lecture.lesson || lecture.lesson->source != source;
    lecture.lesson = std::move(lesson);
    lecture.stamp = stamp;
    if (another) {
        lecture.stop = lecture.left = 0;
        lecture.ink.clear();
        lecture.hands.clear();
        lecture.earlier.clear();
    }
    settings.lesson = source;
    if (!is_bundled_lesson(source)) remember(settings, FileKind::lesson, source);
}

namespace {

/// Opens the right workspace with a stop's second run, or closes it if the stop has none.
void show_beside(AppContext& context, const LessonStop& stop) {
    context.workspaces.show(0);
    if (!stop.beside) return context.close_workspace(1);
    context.open_right_workspace();
    context.workspaces.side_by_side.linked = true;
    const Experiment& left = context.workspaces.other()->experiment;
    Workspace& right = context.workspace();
    right.experiment = {
        stop.beside->model.value_or(left.model), stop.beside->image.value_or(stop.image.value_or(left.image)), {}};
    right.arrival.reset();
    if (const auto& words = stop.beside->what_ifs; !words.empty())
        right.arrival = Workspace::Arrival{right.text_experiment, {}, words, {}};
    context.workspaces.show(0);
}

}  // namespace

void go_to_stop(AppContext& context, int stop) {
    Lecture& lecture = context.state.lecture;
    if (!lecture.lesson || context.result() == nullptr) return;
    const int shown_before = lecture.stop;
    lecture.stop = std::clamp(stop, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
    show_beside(context, lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)]);
    const Result* const now = context.result();
    if (now == nullptr) return;
    Workspace& workspace = context.workspace();
    give_map_back(workspace);
    const Config& config = now->model->config;
    Place from{workspace.experiment, workspace.text_experiment, workspace.selection.focus};
    if (lecture.stop != shown_before + 1) from = place_before(*lecture.lesson, lecture.stop, std::move(from), config);
    const Place to = place_of(*lecture.lesson, lecture.stop, from, config);
    workspace.experiment = to.experiment;
    workspace.text_experiment = to.text_experiment;
    workspace.selection.focus = to.focus;
    workspace.changed = true;  // a new stop, even with the same view
    keep_inside(workspace.selection, *now);
    workspace.roles = to.roles;
    show_picture(context);
    const Places& places = answers_of(to.room).places;
    if (places.show != nullptr)
        return places.show(context, lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)]);
    enter_room(context, to.room);
    if (places.step == nullptr) return;
    begin_step(context, to.focus.step);  // even if the previous stop showed it
    const LessonStop& there = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    if (names_map(there)) {  // not the one that the chapter opens on
        Focus& focus = workspace.selection.focus;
        focus.block = to.focus.block;
        focus.head = to.focus.head;
        focus.token = to.focus.token;
        keep_inside(workspace.selection, *now);
        workspace.left_map.reset();
        workspace.enter_chapter(context.state.settings.motion);
    }
    workspace.selection.open_guess(opens_guess(there, to.focus));
    const Record after{*now->model, now->trace, to.experiment.what_ifs};
    if (to.focus.cell && exists(after, *to.focus.cell)) workspace.selection.focus.cell = to.focus.cell;
}

bool names_map(const LessonStop& stop) { return stop.block || stop.head || stop.token; }

std::optional<StopOfLesson> stop_now(const Lecture& lecture) {
    if (!lecture.on || !lecture.lesson) return {};
    return StopOfLesson{lecture.lesson->source, lecture.stop};
}

void show_picture(AppContext& context) {
    context.state.lecture.alone = Alone::nothing;
    context.state.lecture.peek = false;
    context.state.lecture.told = false;
    context.state.answer_shown = false;
}

}  // namespace vitrine
