#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/progress.h"

namespace vitrine {

/// "12 s left", "3 min left" or "2.5 h left", from the seconds gone and the fraction done; "" while that is a guess:
/// before a second has passed or a hundredth is done.
std::string time_left(double seconds, double done);

/// A command's progress on one line of the terminal, with the time left. Silent if stderr is not a terminal, or with
/// --quiet. The line is cleared at the end.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Whether anybody sees it.
    bool shows() const { return shows_; }
    /// `words` precede the time left; without them the percentage does.
    void at(double done, const std::string& words = "");
    /// Reports to this line, which must live longer; empty if nobody sees it.
    Progress progress();

private:
    bool shows_ = false, drawn_ = false;
    Clock::time_point start_ = Clock::now(), last_ = {};
};

}  // namespace vitrine
