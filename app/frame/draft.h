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
    Drafts drafts;  // become no commands

    /// Issues commands for all changes.
    void ask(const AppContext& context, Commands& commands) const;
};

/// Commands that bring a fresh window to the current state; the beginning of a recording.
std::vector<Command> commands_to(const AppContext& context);

}  // namespace vitrine
