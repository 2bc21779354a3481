#include <algorithm>

#include "app/rooms/app_context.h"
#include "app/rooms/exercise/room.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/state.h"
#include "app/rooms/text/room.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/workspace.h"

namespace vitrine {

const Snapshot& Frame::shown() const { return workspace.shown; }
TextDraft Frame::text() const { return {text_experiment, selection.focus.text}; }

const std::vector<Room>& rooms() {
    static const std::vector<Room> all = {
        // clang-format off
        explore_room(),
        laboratory_room(),
        learning_room(),
        exercise_room(),
        text_room(),
        // clang-format on
    };
    return all;
}

const Room& room_of(std::string_view id) {
    const auto found = std::find_if(rooms().begin(), rooms().end(), [&](const Room& r) { return r.id == id; });
    return found == rooms().end() ? rooms().front() : *found;
}

bool is_room(std::string_view id) { return room_of(id).id == id; }

void enter_step(AppContext& context, int step) {
    if (context.focus().step != step || !room_of(context.state.room).chapters) begin_step(context, step);
}

void begin_step(AppContext& context, int step) {
    Workspace& workspace = context.workspace();
    workspace.selection.focus.step = step;
    workspace.selection.focus.cell.reset();
    workspace.enter_chapter(context.state.settings.motion);
    context.state.answer_shown = false;
    if (room_of(context.state.room).chapters) return;
    const auto chapters = std::find_if(rooms().begin(), rooms().end(), [](const Room& r) { return r.chapters; });
    enter_room(context, std::string(chapters->id));
}

void enter_room(AppContext& context, const std::string& id) {
    if (is_room(id)) context.state.room = id;
}

void go_to_room(AppContext& context, const std::string& id) {
    TextLaboratory& texts = context.focus().text.lab;
    const bool measures = room_of(id).measures;
    if (measures && room_of(context.state.room).reads) {
        texts.open = true;
        return;
    }
    if (room_of(id).reads) texts.open = false;
    enter_room(context, id);
}

std::string_view tab_in_view(const State& state, const Focus& focus) {
    const Room& room = room_of(state.room);
    if (!room.reads || !focus.text.lab.open) return room.id;
    return std::ranges::find_if(rooms(), [](const Room& r) { return r.measures; })->id;
}

bool can_do(const CommandRow& row, const AppContext& context) {
    const Room& room = room_of(context.state.room);
    const bool lecture = context.state.lecture.on;
    if (row.where.room != nullptr && room.id != row.where.room) return false;
    if (row.where.skin == KeyContext::Skin::lecture && !lecture) return false;
    if (row.where.skin == KeyContext::Skin::window && lecture) return false;
    if (row.where.on_a_run && (context.result() == nullptr || room.learns || room.reads)) return false;
    return row.can == nullptr || row.can(context);
}

}  // namespace vitrine
