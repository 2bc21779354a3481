#pragma once

#include <optional>
#include <vector>

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// The part of a draft that belongs to one workspace.
struct HalfDraft {
    explicit HalfDraft(const Workspace& of);

    Selection selection;
    TextExperiment text_experiment;
    std::vector<Intervention> what_ifs;

    /// Adds a command for each difference from `now`; these act on the visible workspace.
    void ask(const Workspace& now, Commands& commands) const;
};

/// A copy of the state that zones may change within a frame: changes are turned into commands, so that state changes in
/// one place and everything is recorded.
struct Draft : HalfDraft {
    explicit Draft(const AppContext& context);

    std::optional<HalfDraft> other;  // of two workspaces side by side, the one that is not visible
    Motion motion;
    LearningState learning;
    Settings settings;
    Drafts drafts;  // not turned into commands

    /// Adds a command for each difference from the state.
    void ask(const AppContext& context, Commands& commands) const;
};

/// Commands that lead from a new window to the current state; the beginning of a recording.
std::vector<Command> commands_to(const AppContext& context);

}  // namespace vitrine
