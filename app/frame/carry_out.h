#pragma once

#include <functional>

#include "app/frame/arrival.h"
#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// Keeps everything that commands act on. Everybody may read it; it changes here alone, by commands and by arrivals:
/// only what these call is handed an `AppContext&`.
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
    friend class StateDoor;  // of the tests, for states that no command makes

    AppContext context_;
};

}  // namespace vitrine
