#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/exports/orders.h"
#include "app/exports/screen.h"
#include "app/lecture/lesson.h"
#include "app/workspace/roles.h"

namespace vitrine {

/// A lesson's pictures and words as one HTML page, drawn frame by frame.
class Handout {
public:
    /// `wake` is called when there is something to draw. Throws Error where the lesson cannot be read or drawn.
    explicit Handout(const HandoutOrder& order, std::function<void()> wake = {});

    const Lesson& lesson() const { return lesson_; }
    /// Draws one frame, or nothing while something is computed; true where all stops are drawn. Throws Error.
    bool step();
    /// Waits until what the next step needs is computed.
    void settle() const { screen_.settle(); }
    /// How many stops are drawn.
    int done() const { return stop_; }
    double fraction() const;

    /// The page of the stops that are drawn.
    std::string page() const;

private:
    void enter_stop();
    bool play_roles_of_stop();

    HandoutOrder order_;
    Lesson lesson_;
    Screen screen_;
    Opening opening_;
    Roles roles_;  // of the stop, until the picture shows what they stand for
    std::string body_;
    int stop_ = 0;
    bool entered_ = false;  // the stop is on the screen
};

}  // namespace vitrine
