#pragma once

#include <memory>

#include "app/rooms/app_context.h"
#include "app/ui/ui.h"

namespace vitrine {

class CommandTable;
class Commands;

struct Image;

/// Pictures of the audience's view at this stop and at the next one; null if not drawn.
struct StopViews {
    std::shared_ptr<const Image> here = {}, next = {};
    bool drawing = true;  // pictures are being drawn
};

/// Inputs of the presenter's view. Actions go to `commands`; `drafts` holds text under edit.
struct PresenterFrame {
    const Ui& ui;
    const AppContext& context;
    Drafts& drafts;
    Commands& commands;
    const CommandTable& table;
    const StopViews& stops;
};

/// The presenter's view: clock, notes, pictures of this stop and the next, what comes next, the question before its
/// answer, and buttons for touch. Fills ImGui's current window.
void presenter_view(const PresenterFrame& frame);

}  // namespace vitrine
