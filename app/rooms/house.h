#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/jobs/jobs.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/scratch_folder.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/workspace/command.h"
#include "app/workspace/workspace.h"

namespace vitrine {

/// All that commands act on. Frames only read it.
struct House {
    explicit House(std::function<void()> wake) : jobs(std::move(wake)) {}

    State state;
    Drafts drafts;
    Workspaces workspaces;
    Text text, english;  // the words of the chosen language; English ones beside them
    Theme theme;
    std::optional<ScratchFolder> scratch;  // of recordings that are played; none before the first
    bool playing = false;                  // what a recording says is being done, which writes into `scratch` alone
    Jobs jobs;

    // What the window is asked for; whoever owns it takes these.
    bool quit = false, full_screen = false;
    std::string link;                    // an address for the browser
    std::string recording;               // the part of the window whose next picture is wanted as SVG
    std::filesystem::path recording_to;  // where it goes
    bool copies_picture = false;         // the picture that is written goes onto the clipboard
    double wait_until = 0;               // ImGui's time: a recording that is played goes on then
    std::vector<std::string> dialogs;    // the ids of all that there are
    std::optional<Moment> travelled;     // undo or redo in this frame, and from where: nothing to remember
    int image_reloads = 0;               // the number of the image that was read again last

    /// Closes a workspace by its place; the last one stays.
    void close_workspace(std::size_t place);

    Workspace& workspace() { return workspaces.visible(); }
    const Workspace& workspace() const { return workspaces.visible(); }
    Focus& focus() { return workspace().selection.focus; }
    const Focus& focus() const { return workspace().selection.focus; }
    /// The newest result of the visible workspace; null before the first.
    const Result* result() const { return workspace().shown.result.get(); }
};

/// A key with what is held beside it. Shift matters only where it is named: on some keyboards digits need it.
struct Chord {
    Key key = Key::count;
    bool ctrl = false;
    enum class Shift { either, up, down } shift = Shift::either;
    bool repeats = false;  // while it is held
};

/// Where a command's keys act.
struct KeyContext {
    enum class Skin { any, lecture, window };
    const char* room = nullptr;  // any
    Skin skin = Skin::any;
    bool over_dialogs = false;  // also while one is open
    bool while_typing = false;  // also while text is typed
    bool on_a_run = false;      // only where a run is shown
};

/// A command that needs no more words than its name. All that speaks of it reads this row: keys, the finder, F1,
/// tooltips. Its name is the text "command.<id>".
struct CommandRow {
    std::string id;
    const char* help;  // the text of its line among all keys; several commands may share one
    std::vector<Chord> keys;
    KeyContext where;
    std::function<void(House&)> act;
    bool (*can)(const House& house) = nullptr;  // null: always
    bool found = true;                          // the finder offers it
    bool by_pointer = false;                    // what it switches off depends on where the mouse is
};

/// "Ctrl Z", as this keyboard has it.
std::string chord_words(const Chord& chord);

/// All rows: the rooms' first, then those of a lecture and the window's; the first whose key it is acts.
class CommandTable {
public:
    explicit CommandTable(std::vector<CommandRow> rows);
    CommandTable(const CommandTable&) = delete;
    CommandTable& operator=(const CommandTable&) = delete;

    const std::vector<CommandRow>& rows() const { return rows_; }
    /// The row of an id; null where there is none.
    const CommandRow* find(std::string_view id) const;
    /// Its first key, in words; empty where it has none.
    std::string keys(std::string_view id) const;

private:
    std::vector<CommandRow> rows_;
    std::unordered_map<std::string_view, const CommandRow*> by_id_;  // asked for many times a frame
};

/// Where exports and learned models go: the folder that was chosen, else one at home; into the scratch folder while a
/// recording is played.
std::filesystem::path export_folder(const House& house);
std::filesystem::path model_home(const House& house);
/// Whether that is below the scratch folder, which goes with the window.
bool lies_in_scratch(const House& house, const std::filesystem::path& file);
/// Throws Error where a recording that is played would write or remove a file outside its scratch folder.
void check_may_write(const House& house, const std::filesystem::path& file);

/// Tells for a moment, over everything, what was done.
void notify(House& house, const std::string& words);

/// Lets another dialog lie over the window; none where the id is empty.
void show_dialog(House& house, const std::string& id);

}  // namespace vitrine
