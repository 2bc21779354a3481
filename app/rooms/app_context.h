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

/// All that commands act on. Frames only read it.
struct AppContext {
    explicit AppContext(std::function<void()> wake);
    ~AppContext();

    State state;
    Drafts drafts;
    Workspaces workspaces;
    Text text, english;  // the words of the chosen language; English ones beside them
    Theme theme;
    std::optional<ScratchFolder> scratch;  // of recordings that are played; none before the first
    bool playing = false;                  // what a recording says is being done, which writes into `scratch` alone

    // What the window is asked for; whoever owns it takes these.
    bool quit = false, full_screen = false;
    std::string link;                    // an address for the browser
    std::string recording;               // the part of the window whose next picture is wanted as SVG
    std::filesystem::path recording_to;  // where it goes
    double wait_until = 0;               // ImGui's time: a recording that is played goes on then
    std::vector<std::string> dialogs;    // the ids of all that there are
    std::optional<Moment> travelled;     // undo or redo in this frame, and from where: nothing to remember
    int image_reloads = 0;               // the number of the image that was read again last

    /// Closes a workspace by its place; the last one stays.
    void close_workspace(std::size_t place);

    Jobs& jobs() { return *jobs_; }
    const Jobs& jobs() const { return *jobs_; }

    Workspace& workspace() { return workspaces.visible(); }
    const Workspace& workspace() const { return workspaces.visible(); }
    Focus& focus() { return workspace().selection.focus; }
    const Focus& focus() const { return workspace().selection.focus; }
    /// The newest result of the visible workspace; null before the first.
    const Result* result() const { return workspace().shown.result.get(); }

private:
    std::unique_ptr<Jobs> jobs_;
};

/// Where exports and learned models go: the folder that was chosen, else one at home; into the scratch folder while a
/// recording is played.
std::filesystem::path export_folder(const AppContext& context);
std::filesystem::path model_home(const AppContext& context);
/// Whether that is below the scratch folder, which goes with the window.
bool lies_in_scratch(const AppContext& context, const std::filesystem::path& file);
/// Throws Error where a recording that is played would write or remove a file outside its scratch folder.
void check_may_write(const AppContext& context, const std::filesystem::path& file);

/// Tells for a moment, over everything, what was done.
void notify(AppContext& context, const std::string& words);

/// Lets another dialog lie over the window; none where the id is empty.
void show_dialog(AppContext& context, const std::string& id);

}  // namespace vitrine
