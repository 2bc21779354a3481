#include "tests/monkey/record.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace vitrine::monkey {

namespace {

constexpr std::size_t kept = 50, longest = 320;
constexpr int most_seconds = 600;  // of one action: the sign of a hang

// Plain memory, since a signal may come at any time.
char actions[kept][longest];
char repeat[longest];
volatile sig_atomic_t noted = 0;
volatile sig_atomic_t told = 0;
std::atomic<int> seconds{0};  // since the last action began; a process that is stopped counts none

void say(const char* words) { (void)!write(STDERR_FILENO, words, std::strlen(words)); }

void copy(const std::string& words, char* into) {
    const std::size_t size = std::min(words.size(), longest - 1);
    std::memcpy(into, words.data(), size);
    into[size] = '\0';
}

void tell() {
    if (told != 0) return;
    told = 1;
    say("\nmonkey: the last actions, the newest last\n");
    const std::size_t count = static_cast<std::size_t>(noted);
    for (std::size_t i = count > kept ? count - kept : 0; i < count; ++i) {
        say("  ");
        say(actions[i % kept]);
        say("\n");
    }
    say(repeat);
    say("\n");
}

void on_signal(int signal) {
    tell();
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);
    raise(signal);
}

/// Ends the program where an action does not come to its end.
[[noreturn]] void count_seconds() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        if (++seconds > most_seconds) fault("an action does not come to its end");
    }
}

}  // namespace

void watch(const std::string& how_to_repeat) {
    copy(how_to_repeat, repeat);
    const bool sanitized = __sanitizer_set_death_callback != nullptr;
    if (sanitized) __sanitizer_set_death_callback(tell);
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigaction(SIGABRT, &action, nullptr);
    if (!sanitized)  // which have handlers of their own
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
    std::thread(count_seconds).detach();
}

void note(const std::string& action) {
    copy(action, actions[static_cast<std::size_t>(noted) % kept]);
    noted = noted + 1;
    seconds = 0;
}

void fault(const std::string& what) {
    say("monkey: ");
    say(what.c_str());
    say("\n");
    std::abort();
}

}  // namespace vitrine::monkey
