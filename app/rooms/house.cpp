#include "app/rooms/house.h"

#include "app/rooms/explore/steps/step.h"
#include "app/rooms/room.h"

namespace vitrine {

void House::close_workspace(std::size_t place) {
    const auto& all = workspaces.all();
    if (all.size() < 2 || place >= all.size()) return;
    const int id = all[place]->id;
    workspaces.close(place);
    jobs.forget(id);
}

void enter_step(House& house, int step) {
    const Room& room = room_of(house.state.room);
    Workspace& workspace = house.workspace();
    if (workspace.selection.focus.step == step && room.chapters) return;
    workspace.selection.focus.step = step;
    workspace.selection.focus.cell.reset();
    workspace.enter_chapter(house.state.settings.motion);
    house.state.answer_shown = false;
    for (const Room& other : rooms())
        if (!room.chapters && other.chapters) return enter_room(house, std::string(other.id));
}

void enter_room(House& house, const std::string& id) {
    if (is_room(id)) house.state.room = id;
}

void show_dialog(House& house, const std::string& id) {
    house.state.dialog = id;
    house.state.told.clear();
}

bool can_do(const CommandRow& row, const House& house) {
    const Room& room = room_of(house.state.room);
    const bool lecture = house.state.lecture.on;
    if (row.where.room != nullptr && room.id != row.where.room) return false;
    if (row.where.skin == KeyContext::Skin::lecture && !lecture) return false;
    if (row.where.skin == KeyContext::Skin::window && lecture) return false;
    if (row.where.on_a_run && (house.result() == nullptr || room.learns)) return false;
    return row.can == nullptr || row.can(house);
}

}  // namespace vitrine
