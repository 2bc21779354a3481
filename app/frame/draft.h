#pragma once

#include <vector>

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// A copy of the state that zones may change within a frame: changes are turned into commands, so that state changes in
/// one place and everything is recorded.
struct Draft {
    explicit Draft(const AppContext& context);

    Selection selection;
    TextExperiment text_experiment;
    std::vector<Intervention> what_ifs;
    Motion motion;
    LearningState learning;
    Settings settings;

    /// Issues commands for all changes.
    void ask(const AppContext& context, Commands& commands) const;
    /// Hover is not part of the state: it is applied at once.
    void take_hover(Workspace& workspace) const;
};

/// Commands that bring a fresh window to the current state; the beginning of a recording.
std::vector<Command> commands_to(const AppContext& context);

}  // namespace vitrine
