#include "app/frame/window_commands.h"
#include "app/rooms/app_context.h"
#include "app/rooms/room_parts.h"

namespace vitrine {

namespace {

constexpr KeyContext on_the_stage{}, anywhere{.over_dialogs = true};

bool can_open(const AppContext& context) {
    return context.result() != nullptr && answers_of(context.state.room).around.halves;
}
bool are_two(const AppContext& context) { return context.workspaces.other() != nullptr; }

/// Opens the right half, or closes it.
void toggle_right(AppContext& context) {
    are_two(context) ? context.close_workspace(1) : context.open_right_workspace();
}

/// Links the workspaces, or unlinks them; linking moves the other workspace to the focus of the visible one.
void toggle_link(AppContext& context) {
    Workspaces& both = context.workspaces;
    both.side_by_side.linked = !both.side_by_side.linked;
    Moment before = both.moment({});
    before.focus = before.other->focus;
    both.link(before);
}

}  // namespace

std::vector<CommandRow> rows_of_two_workspaces() {
    constexpr Chord::Shift up = Chord::Shift::up, down = Chord::Shift::down;
    return {
        {"beside", "help.beside", {{Key::d, true, up}}, on_the_stage, toggle_right, can_open},
        {"beside.other",
         "help.beside_other",
         {{Key::d, true, down}},
         on_the_stage,
         [](AppContext& h) { h.workspaces.show(1 - h.workspaces.shown()); },
         are_two},
        {"beside.link", "", {}, on_the_stage, toggle_link, are_two},
        {"beside.difference",
         "",
         {},
         on_the_stage,
         [](AppContext& h) { h.workspaces.side_by_side.difference = !h.workspaces.side_by_side.difference; },
         are_two},
        {"beside.open",
         "",
         {},
         anywhere,
         [](AppContext& h) { h.open_right_workspace(); },
         [](const AppContext& h) { return h.result() != nullptr; },
         false},
        {"beside.close_left", "", {}, on_the_stage, [](AppContext& h) { h.close_workspace(0); }, are_two},
        {"beside.close_right", "", {}, on_the_stage, [](AppContext& h) { h.close_workspace(1); }, are_two, false},
    };
}

}  // namespace vitrine
