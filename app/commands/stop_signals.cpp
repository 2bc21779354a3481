#include "app/commands/stop_signals.h"

#include <csignal>
#include <initializer_list>

namespace vitrine {

namespace {

volatile std::sig_atomic_t asked_to_stop = 0;  // number of the signal

void note_signal(int signal) {
    asked_to_stop = signal;
    std::signal(signal, SIG_DFL);  // a second signal ends the program at once
}

}  // namespace

StopSignals::StopSignals() {
    asked_to_stop = 0;
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_signal);
}

StopSignals::~StopSignals() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

bool StopSignals::asked() { return asked_to_stop != 0; }

int StopSignals::status() { return 128 + asked_to_stop; }

}  // namespace vitrine
