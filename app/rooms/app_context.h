#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/platform/scratch_folder.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/workspace/workspace.h"

namespace vitrine {

class Jobs;

/// Everything that commands act on. One place owns it (app/frame/carry_out) and passes it to commands and arrivals; all
/// other code reads it. Jobs are not part of the state: readers may send them requests.
struct AppContext {
    explicit AppContext(std::function<void()> wake);
    ~AppContext();

    State state;
    Drafts drafts;
    Workspaces workspaces;
    Text text, english;  // texts of the chosen language, and the English ones
    Theme theme;
    std::optional<ScratchFolder> scratch;  // where played recordings write; none before the first
    bool playing = false;                  // a recording is being played, which may only write into `scratch`

    // Requests to the window, consumed by its owner.
    bool quit = false, full_screen = false;
    bool paste = false;                  // open the content of the clipboard
    bool closable = false;               // whether a window that is about to close may do so
    std::string link;                    // URL for the browser
    std::string recording;               // part of the window to record as SVG in the next frame
    std::filesystem::path recording_to;  // file for `recording`
    double wait_until = 0;               // ImGui's time at which a recording continues
    std::vector<std::string> dialogs;    // ids of all dialogs
    std::optional<Moment> travelled;     // start of the last command if it was undo or redo, which is not recorded
    int image_reloads = 0;               // number given to the last reloaded image

    /// Adds a second workspace on the right, a copy of the first, or makes the existing one visible.
    void open_right_workspace();
    /// Closes a workspace by its index, 0 for the left one; the last one stays.
    void close_workspace(std::size_t place);
    /// Restores a moment exactly: one workspace, or two.
    void go_to(const Moment& moment);

    Jobs& jobs() const { return *jobs_; }

    Workspace& workspace() { return workspaces.visible(); }
    const Workspace& workspace() const { return workspaces.visible(); }
    Focus& focus() { return workspace().selection.focus; }
    const Focus& focus() const { return workspace().selection.focus; }
    /// The newest result of the visible workspace; null before the first.
    const Result* result() const { return workspace().shown.result.get(); }

private:
    std::unique_ptr<Jobs> jobs_;
};

/// The folder for exports and trained models: the chosen one, else one in the home folder; while a recording is played,
/// the scratch folder.
std::filesystem::path export_folder(const AppContext& context);
std::filesystem::path model_home(const AppContext& context);
/// True for a file inside the scratch folder, which is deleted with the window.
bool is_in_scratch(const AppContext& context, const std::filesystem::path& file);
/// Throws Error if a recording being played would write or delete a file outside its scratch folder.
void check_may_write(const AppContext& context, const std::filesystem::path& file);

/// Shows a notice for a moment.
void notify(AppContext& context, const std::string& words);

/// Opens a dialog in place of the open one; an empty id closes that.
void show_dialog(AppContext& context, const std::string& id);

}  // namespace vitrine
