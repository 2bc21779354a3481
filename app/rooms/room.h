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
struct Snapshot;
struct State;
class Text;
struct TextDraft;
struct TextExperiment;
struct Ui;
struct Workspace;

// What the shell and the rooms agree on: a room says which zones it has and draws them; what it wants changed it says
// in commands.

/// Where everything is in the window; in a lecture all but the stage slides out of it.
struct Layout {
    Rect top, map, stage, explanation, tokens, time;

    /// The tokens and the time line together.
    Rect bottom() const { return {tokens.x0, tokens.y0, time.x1, time.y1}; }
};

/// What controls beside the picture read, and where they put what is asked for.
struct PanelContext {
    const State& state;
    Settings& settings;  // of this frame: what is changed here becomes a command
    Drafts& drafts;
    Commands& commands;
    const CommandTable& table;
};

/// What a zone draws with. The parts that are not const are of this frame: what is changed in them becomes commands
/// when all zones are drawn.
struct Frame {
    const Ui& ui;
    const Text& english;  // for the terms beside another language's
    const Layout& layout;
    const Workspace& workspace;
    Selection& selection;
    TextExperiment& text_experiment;
    std::vector<Intervention>& what_ifs;
    Motion& motion;
    LearningState& learning;
    PanelContext panel;
    const LearningRuns& runs;

    const Snapshot& shown() const;
    /// What the Text room computes and looks at.
    TextDraft text() const;
    const State& state() const { return panel.state; }
    Commands& commands() const { return panel.commands; }
    /// The key of a command, in words.
    std::string key_of(std::string_view command) const { return panel.table.keys(command); }
};

/// A part of the window.
struct Zone {
    const char* id;
    Rect rect;
    void (*draw)(const Frame& frame);
    float padding_x = 0, padding_y = 0;  // 0: the style's
};

/// What the window is about. A room is a folder with one of these, and a line in the list of rooms.
struct Room {
    std::string_view id;  // in sessions; its words are "top.mode.<id>"
    Key key;
    std::vector<Zone> (*zones)(const Frame& frame);          // in reading order
    void (*overlay)(const Frame& frame) = nullptr;           // over its zones, within the window
    const std::vector<CommandRow>& (*commands)() = nullptr;  // its own
    const RoomAnswers& (*answers)() = nullptr;               // app/rooms/room_parts; null: none of them
};

/// All rooms in the order of their keys. Defined by the highest of them, app/rooms/rooms.cpp.
const std::vector<Room>& rooms();
/// The room of an id; the first one where there is none.
const Room& room_of(std::string_view id);
bool is_room(std::string_view id);
/// A room more, as long as this lives: for tests.
class AnotherRoom {
public:
    explicit AnotherRoom(const Room& room);
    ~AnotherRoom();
    AnotherRoom(const AnotherRoom&) = delete;
    AnotherRoom& operator=(const AnotherRoom&) = delete;
};

// What commands share.

/// Another chapter: its motion begins anew, a pinned number is let go, the answer is hidden. Nothing where it is shown.
void enter_step(AppContext& context, int step);
/// The same, also where it is shown already.
void begin_step(AppContext& context, int step);
void enter_room(AppContext& context, const std::string& id);
/// The same as its key and its tab do it: from the Text room to the laboratory of texts, and back to the chapters.
void go_to_room(AppContext& context, const std::string& id);
/// The room whose tab stands out.
std::string_view tab_in_view(const State& state, const Focus& focus);
/// Whether a command can be done now: its place and its own condition.
bool can_do(const CommandRow& row, const AppContext& context);

}  // namespace vitrine
