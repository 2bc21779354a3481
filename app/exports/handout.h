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

/// A lesson as one HTML page with pictures, drawn frame by frame.
class Handout {
public:
    /// `wake` is called when there is something to draw. Throws Error if the lesson cannot be read or drawn.
    explicit Handout(const HandoutOrder& order, std::function<void()> wake = {});

    const Lesson& lesson() const { return lesson_; }
    /// Draws one frame, or nothing while something is computed; true once all stops are drawn. Throws Error.
    bool step();
    /// Waits for the computation that the next step needs.
    void settle() const { screen_.settle(); }
    /// Number of stops drawn so far.
    int done() const { return stop_; }
    double fraction() const;

    /// The page with the stops drawn so far.
    std::string page() const;

private:
    void enter_stop();
    bool place_map();
    bool play_roles_of_stop();
    bool hide_what_is_asked();

    HandoutOrder order_;
    Lesson lesson_;
    Screen screen_;
    Opening opening_;
    Roles roles_;  // of the stop, until they are resolved
    std::string body_;
    int stop_ = 0;
    bool entered_ = false;  // the stop has been entered
    bool placed_ = false;   // its chapter has chosen the head to open on
    bool hidden_ = false;   // the change whose effect it asks for is left out, if any
    std::string to_guess_;  // the change whose effect the stop asks for, where the page leaves it out
};

}  // namespace vitrine
