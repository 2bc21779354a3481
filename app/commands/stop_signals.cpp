#include "app/commands/stop_signals.h"

#include <csignal>

namespace vitrine {

namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

void note_signal(int signal) {
    asked_to_stop = 1;
    std::signal(signal, SIG_DFL);
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

}  // namespace vitrine
