#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/progress.h"

namespace vitrine {

/// "12 s left", "3 min left" or "2.5 h left", from the elapsed seconds and the fraction done; "" while the estimate is
/// poor, before a second has passed or a hundredth is done, and at the end.
std::string time_left(double seconds, double done);

/// A command's progress on one line of the terminal, with the time left. Silent if stderr is not a terminal, or with
/// --quiet. The line is cleared at the end.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// True if the line is shown.
    bool shows() const { return shows_; }
    /// Updates the line, if the last update is 0.1 s ago: `words`, or else the percentage, and the time left.
    void at(double done, const std::string& words = "");
    /// A callback that updates this line, which must outlive it; empty if the line is not shown.
    Progress progress();

private:
    bool shows_ = false, drawn_ = false;
    Clock::time_point start_ = Clock::now(), last_ = {};
};

}  // namespace vitrine
