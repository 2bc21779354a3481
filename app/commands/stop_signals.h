#pragma once

namespace vitrine {

/// During its lifetime, Ctrl C or SIGTERM only asks a long command to stop; a second one ends the program at once.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    static bool asked();
    /// Exit status of a command that was stopped, as in shells: 130 after Ctrl C, 143 after SIGTERM.
    static int status();
};

}  // namespace vitrine
