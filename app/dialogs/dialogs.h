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

/// What can lie over the window until a choice is made or Escape is pressed: one row each.
class Dialogs {
public:
    struct Row {
        std::string id;  // of `State::dialog`
        std::function<void(const Frame& frame, const AppContext& context)> draw;
    };

    Dialogs();
    Dialogs(const Dialogs&) = delete;
    Dialogs& operator=(const Dialogs&) = delete;

    /// Draws the one that is open, if any.
    void draw(const Frame& frame, const AppContext& context);
    /// Whether something in them is still being made.
    bool busy() const { return browser_.busy() || start_.busy(); }
    const Finder& finder() const { return finder_; }
    const std::vector<Row>& rows() const { return rows_; }

private:
    Browser browser_;
    Finder finder_;
    StartPage start_;
    std::vector<Row> rows_;
};

}  // namespace vitrine
