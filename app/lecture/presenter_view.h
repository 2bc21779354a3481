#pragma once

#include "app/rooms/app_context.h"
#include "app/ui/ui.h"

namespace vitrine {

class CommandTable;
class Commands;

/// Inputs of the presenter's view. Actions go to `commands`; `drafts` holds text under edit.
struct PresenterFrame {
    const Ui& ui;
    const AppContext& context;
    Drafts& drafts;
    Commands& commands;
    const CommandTable& table;
};

/// The presenter's view: clock, notes, what comes next, the question before its answer, and buttons for touch. Fills
/// ImGui's current window.
void presenter_view(const PresenterFrame& frame);

}  // namespace vitrine
