#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/exports/orders.h"
#include "app/frame/opening.h"
#include "app/platform/monitors.h"
#include "app/rooms/state.h"
#include "app/sessions/session.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/workspace/history.h"
#include "app/workspace/selection.h"

namespace vitrine {

struct AppContext;

/// Changes that reach the state without a command: results of jobs, time, the pointer, the desktop. Arrivals are
/// carried out in the same place as commands (app/frame/carry_out), and are not recorded.
namespace arrival {

/// A state that replaces the current one.
struct Opened {
    Opening opening;
};
/// The first state has been set: its dialog opens, and its chapter begins.
struct Begun {
    std::vector<std::string> dialogs;  // ids of all dialogs
};
/// A session to restore; its run follows once the model is loaded.
struct Restored {
    Session session;
};
/// Words of the chosen language.
struct Spoken {
    Text text;
};
/// Size and colours for a display.
struct Dressed {
    Theme theme;
};

/// The newest results of all jobs.
struct Results {
    bool first = false;  // no result has been shown yet
};
/// A check whether the files of the model or of the user's own lesson have changed.
struct Files {};
/// A recorded part of the window as SVG, to be saved.
struct Recorded {
    std::string document;
};
/// A picture or a handout drawn beside the window, to be saved, or the reason why there is none.
struct PictureDrawn {
    std::shared_ptr<const PictureOrder> order;
    std::function<void(const std::filesystem::path&)> write;
};
struct PictureFailed {
    std::string words;
};
struct HandoutDrawn {
    std::shared_ptr<const HandoutOrder> order;
    std::string page;
};
struct HandoutFailed {
    std::string words;
};

/// A new frame, `seconds` after the previous one.
struct Time {
    float seconds = 0;
};
/// The thing under the pointer, in the frame that was drawn.
struct Hovered {
    Selection selection;
    std::optional<Selection> other = {};  // in the workspace beside the visible one
};
/// Unsubmitted input.
struct Typed {
    Drafts drafts;
};
/// All commands of a frame have been carried out; `before`: the moment before them.
struct Settled {
    Moment before;
};
/// The playing of a recording begins or ends.
struct Playing {
    bool on = false;
};

struct Failure {
    std::string words;
};
/// A notice to show; empty words remove the current one.
struct Notice {
    std::string words;
};

/// The window has carried out a request.
struct Met {
    enum class Request { link, full_screen, paste, recording } request;
};
/// The window is about to close; `AppContext::closable` says whether it may.
struct Closing {};
struct FullScreen {
    bool on = false;
};
struct Monitors {
    std::vector<Monitor> all;
};
/// A check of the folder where killed windows left their sessions.
struct Left {
    std::filesystem::path folder;
};

}  // namespace arrival

using Arrival =
    std::variant<arrival::Opened, arrival::Begun, arrival::Restored, arrival::Spoken, arrival::Dressed,
                 arrival::Results, arrival::Files, arrival::Recorded, arrival::PictureDrawn, arrival::PictureFailed,
                 arrival::HandoutDrawn, arrival::HandoutFailed, arrival::Time, arrival::Hovered, arrival::Typed,
                 arrival::Settled, arrival::Playing, arrival::Failure, arrival::Notice, arrival::Met, arrival::Closing,
                 arrival::FullScreen, arrival::Monitors, arrival::Left>;

/// True if everything that the state requests is computed and shown.
bool is_answered(const AppContext& context);

/// Applies an arrival to the state; called by `Carrier` alone.
void take_in(const Arrival& arrival, AppContext& context);

}  // namespace vitrine
