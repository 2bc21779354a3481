#pragma once

namespace vitrine {

/// While it lives, Ctrl C and a polite kill only ask a long command to stop; a second one ends the program at once.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    static bool asked();
    /// What a command that was asked to stop ends with, as shells have it: 130 after Ctrl C, 143 after a kill.
    static int status();
};

}  // namespace vitrine
