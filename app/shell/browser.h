#pragma once

#include <memory>

#include "app/rooms/room.h"

namespace vitrine {

/// A folder's images or models, and our own samples, to choose from.
class Browser {
public:
    Browser();
    ~Browser();
    void images(const Frame& frame);
    void models(const Frame& frame);

    /// Whether thumbnails are still being made.
    bool busy() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
