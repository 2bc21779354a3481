#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/dialogs/browser.h"
#include "app/dialogs/finder.h"
#include "app/frame/start_page.h"
#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// The dialogs over the window, closed by a choice or Escape: one row each.
class Dialogs {
public:
    struct Row {
        std::string id;  // value of `State::dialog`
        std::function<void(const Frame& frame, const AppContext& context)> draw;
    };

    Dialogs();
    Dialogs(const Dialogs&) = delete;
    Dialogs& operator=(const Dialogs&) = delete;

    /// Draws the open dialog, if any.
    void draw(const Frame& frame, const AppContext& context);
    const Finder& finder() const { return finder_; }
    const std::vector<Row>& rows() const { return rows_; }

private:
    Browser browser_;
    Finder finder_;
    StartPage start_;
    std::vector<Row> rows_;
};

}  // namespace vitrine
