#pragma once

#include <vector>

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// What the zones of one frame may change, as a copy: what is changed in it is asked for in commands, so that state
/// changes in one place and nothing goes unrecorded.
struct Draft {
    explicit Draft(const AppContext& context);

    Selection selection;
    TextExperiment text_experiment;
    std::vector<Intervention> what_ifs;
    Motion motion;
    LearningState learning;
    Settings settings;

    /// Asks for all that was changed since.
    void ask(const AppContext& context, Commands& commands) const;
    /// What is pointed at is no state: it is taken over at once.
    void take_hover(Workspace& workspace) const;
};

/// What makes a fresh window the same as this one; the beginning of a recording.
std::vector<Command> commands_to(const AppContext& context);

}  // namespace vitrine
