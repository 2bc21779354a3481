#pragma once

#include <functional>

#include "app/frame/arrival.h"
#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// Owns the state that commands act on. Everyone may read it; only commands and arrivals change it, since only the
/// functions that they call receive an `AppContext&`.
class Carrier {
public:
    /// `wake` is called from the jobs' threads when there is something new to draw.
    explicit Carrier(std::function<void()> wake);

    const AppContext& context() const { return context_; }

    /// Executes a command. Failures are reported in `state.error`.
    void carry_out(const Command& command);
    /// Carries out an arrival, which is a change that no command makes; rethrows its errors.
    void take_in(const Arrival& arrival) { vitrine::take_in(arrival, context_); }

private:
    friend class StateDoor;  // used by tests, for states that no command makes

    AppContext context_;
};

}  // namespace vitrine
