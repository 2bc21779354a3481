#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;
class Thumbnails;

/// The start page: ways to begin, and recently opened files. It fills the screen.
class StartPage {
public:
    void draw(const Frame& frame, const AppContext& context);

private:
    void recents(const Frame& frame, Thumbnails& thumbnails, Rect area);

    bool beside_ = false;  // the next file opens in the right half
};

}  // namespace vitrine
