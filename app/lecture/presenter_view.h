#pragma once

#include "app/rooms/app_context.h"
#include "app/ui/ui.h"

namespace vitrine {

class CommandTable;
class Commands;

/// What the lecturer's own screen is drawn from. What is wanted goes into `commands`; `drafts` holds what is typed.
struct PresenterFrame {
    const Ui& ui;
    const AppContext& context;
    Drafts& drafts;
    Commands& commands;
    const CommandTable& table;
};

/// What the lecturer alone sees: clock, notes, what comes next, the question before its answer, and buttons for a
/// finger. Fills ImGui's current window.
void presenter_view(const PresenterFrame& frame);

}  // namespace vitrine
