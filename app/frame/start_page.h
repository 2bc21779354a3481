#pragma once

#include <memory>

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;
class Thumbnails;

/// The first page: what one may want to begin with, and what was open before. Nothing else is on the screen.
class StartPage {
public:
    StartPage();
    ~StartPage();
    void draw(const Frame& frame, const AppContext& context);

    /// Whether thumbnails are still being made.
    bool busy() const;

private:
    void recents(const Frame& frame, Rect area);

    std::unique_ptr<Thumbnails> thumbnails_;  // none before there is something to show
};

}  // namespace vitrine
