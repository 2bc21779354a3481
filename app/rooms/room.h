#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/rooms/command_row.h"
#include "app/ui/geometry.h"

namespace vitrine {

class Commands;
struct Drafts;
struct Focus;
struct AppContext;
struct Intervention;
struct LearningRuns;
struct LearningState;
struct Motion;
struct RoomAnswers;
class Selection;
struct Settings;
struct SideBySide;
struct Snapshot;
struct State;
class Text;
struct TextDraft;
struct TextExperiment;
struct Ui;
struct Workspace;

// The interface between the shell and the rooms: a room lists and draws its zones, and requests changes by commands.

/// Rectangles of the window's parts; in a lecture all parts except the stage slide out.
struct Layout {
    Rect top, map, stage, explanation, tokens, time;

    /// The tokens and the time line together.
    Rect bottom() const { return {tokens.x0, tokens.y0, time.x1, time.y1}; }
};

/// Inputs of controls beside the picture, and the queue for their commands.
struct PanelContext {
    const State& state;
    Settings& settings;  // of this frame: changes become commands
    Drafts& drafts;
    Commands& commands;
    const CommandTable& table;
};

/// Inputs of a zone. The non-const parts are copies for this frame: after all zones are drawn, changes become commands.
struct Frame {
    const Ui& ui;
    const Text& english;  // for English terms beside another language's
    const Layout& layout;
    const Workspace& workspace;
    Selection& selection;
    TextExperiment& text_experiment;
    std::vector<Intervention>& what_ifs;
    Motion& motion;
    LearningState& learning;
    PanelContext panel;
    const LearningRuns& runs;
    const SideBySide& side_by_side;
    bool right = false;            // of two workspaces side by side, this one is the right one
    const Frame* other = nullptr;  // the other workspace side by side; null if there is none

    const Snapshot& shown() const;
    /// The text experiment and the focus in it.
    TextDraft text() const;
    const State& state() const { return panel.state; }
    Commands& commands() const { return panel.commands; }
    /// A command's key as text.
    std::string key_of(std::string_view command) const { return panel.table.keys(command); }
};

/// A part of the window.
struct Zone {
    const char* id;
    Rect rect;
    void (*draw)(const Frame& frame);
    float padding_x = 0, padding_y = 0;  // 0: the style's default
    bool waits = true;                   // drawn only if the blocks that the room reads are in memory; false: always
};

/// A room: what the window shows. Each room has a folder, which defines one `Room`, and a line in the list of rooms.
struct Room {
    std::string_view id;  // used in sessions; its texts are "top.mode.<id>"
    Key key;
    std::vector<Zone> (*zones)(const Frame& frame);          // in reading order
    const std::vector<CommandRow>& (*commands)() = nullptr;  // the room's own
    const RoomAnswers& (*answers)() = nullptr;               // see app/rooms/room_parts; null: all defaults
};

/// All rooms in the order of their keys; defined in app/rooms/rooms.cpp, which alone depends on all of them.
const std::vector<Room>& rooms();
/// The room with an id, or the first room if there is none.
const Room& room_of(std::string_view id);
bool is_room(std::string_view id);
/// Adds a room during its lifetime, for tests.
class AnotherRoom {
public:
    explicit AnotherRoom(const Room& room);
    ~AnotherRoom();
    AnotherRoom(const AnotherRoom&) = delete;
    AnotherRoom& operator=(const AnotherRoom&) = delete;
};

// Helpers for commands.

/// Restores the user's own block, head and query on leaving a chapter that opened on others; what the user chose in the
/// chapter stays.
void give_map_back(Workspace& workspace);
/// Enters another chapter: restarts its animation, unpins the number, hides the answer. Does nothing if the chapter is
/// already shown.
void enter_step(AppContext& context, int step);
/// The same, even if the chapter is already shown.
void begin_step(AppContext& context, int step);
void enter_room(AppContext& context, const std::string& id);
/// Does what the room's tab does: in the Text room, the laboratory's tab opens the laboratory of texts.
void go_to_room(AppContext& context, const std::string& id);
/// The highlighted tab.
std::string_view tab_in_view(const State& state, const Focus& focus);
/// True if a command is available now, by its key context and its own condition.
bool can_do(const CommandRow& row, const AppContext& context);

}  // namespace vitrine
