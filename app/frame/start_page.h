#pragma once

#include <memory>

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;
class Thumbnails;

/// The start page: ways to begin, and recently opened files. It fills the screen.
class StartPage {
public:
    StartPage();
    ~StartPage();
    void draw(const Frame& frame, const AppContext& context);

    /// True while thumbnails are being made.
    bool busy() const;

private:
    void recents(const Frame& frame, Rect area);

    std::unique_ptr<Thumbnails> thumbnails_;  // null until the page is shown
    bool beside_ = false;                     // the next file opens in the right half
};

}  // namespace vitrine
