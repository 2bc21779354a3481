// kills PROGRAM [KILLS] [SEED]: kills processes at random while they write files. Afterwards each file is the old or
// the new one, never half, and the same process run to its end leaves nothing half written beside them.

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "app/platform/scratch_folder.h"
#include "core/base/clock.h"
#include "tests/kills/victim.h"

extern char** environ;

namespace {

using namespace vitrine::kills;

using vitrine::Clock;
using Microseconds = std::chrono::microseconds;

std::string program;

/// A process that does this and ends; whatever it throws is told and ends it with 1. This process itself stays without
/// threads, so that it may fork.
pid_t begin(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
        work();
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kills: %s\n", error.what());
        _exit(1);
    }
}

/// The program with these words, silent.
pid_t begin(std::vector<std::string> words) {
    words.insert(words.begin(), program);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ) != 0) child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

pid_t begin(const Victim& victim, const fs::path& folder) {
    return victim.words ? begin(victim.words(folder)) : begin([&] { victim.write(folder); });
}

/// Its exit status, or 128 and more where it was killed.
int end_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<fs::path> parts_in(const fs::path& folder) {
    std::vector<fs::path> parts;
    std::error_code changing;
    for (fs::recursive_directory_iterator at(folder, changing), end; !changing && at != end; at.increment(changing))
        if (at->path().extension() == ".part") parts.push_back(at->path());
    return parts;
}

/// Waits for a moment by chance: any of the first milliseconds of a life, or one while something is half written.
void wait(pid_t child, const Victim& victim, const fs::path& folder, std::mt19937& random, Microseconds usual) {
    const auto start = Clock::now();
    const bool aims = victim.words && random() % 4 != 0;
    const auto until = start + (aims ? 20 * usual : Microseconds(random() % (usual.count() + 1)));
    while (Clock::now() < until && (!aims || parts_in(folder).empty())) {
        siginfo_t ended = {};
        if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0)
            return;
        std::this_thread::sleep_for(Microseconds(100));
    }
    if (aims) std::this_thread::sleep_for(Microseconds(random() % 3000));
}

[[noreturn]] void fail(const Victim& victim, int kill, const std::string& what) {
    std::fprintf(stderr, "kills: %s, kill %d: %s\n", victim.name, kill, what.c_str());
    std::exit(1);
}

/// Runs it to its end: it must succeed, and leave nothing half written. How long it takes.
Microseconds live(const Victim& victim, const fs::path& folder, int kill) {
    const auto start = Clock::now();
    std::ofstream(folder / "live") << "";
    const int status = end_of(begin(victim, folder));
    fs::remove(folder / "live");
    if (status != 0) fail(victim, kill, "run to its end it fails with " + std::to_string(status));
    for (const fs::path& part : parts_in(folder)) fail(victim, kill, part.string() + " is left behind");
    return std::chrono::duration_cast<Microseconds>(Clock::now() - start);
}

void kill_again_and_again(const Victim& victim, const fs::path& folder, int kills, std::mt19937& random) {
    constexpr int lives_every = 10;
    fs::create_directories(folder);
    const Microseconds usual = victim.words ? live(victim, folder, 0) : Microseconds(15'000);
    if (victim.words) fs::remove_all(folder);
    fs::create_directories(folder);
    int killed = 0;
    for (int n = 1; killed < kills; ++n) {
        const pid_t child = begin(victim, folder);
        wait(child, victim, folder, random, usual);
        kill(child, SIGKILL);
        const int status = end_of(child);
        if (status == 128 + SIGKILL) ++killed;
        if (status != 128 + SIGKILL && status != 0) fail(victim, n, "it fails with " + std::to_string(status));
        if (end_of(begin([&] { victim.demand(folder); })) != 0) fail(victim, n, "something is half written");
        if (victim.words && n % lives_every == 0) live(victim, folder, n);
        if (victim.words && n % lives_every == 0) fs::remove_all(folder), fs::create_directories(folder);
        if (n > 20 * kills + 100) fail(victim, n, "it ends before it can be killed");
    }
    live(victim, folder, killed);
    if (end_of(begin([&] { victim.demand(folder); })) != 0) fail(victim, killed, "something is half written");
    std::printf("kills: %s: %d, nothing half\n", victim.name, killed);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4) return std::fprintf(stderr, "kills PROGRAM [KILLS] [SEED]\n"), 2;
    program = argv[1];
    const int kills = argc > 2 ? std::atoi(argv[2]) : 100;
    std::mt19937 random(argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 7);
    const vitrine::ScratchFolder home;
    for (const char* const name : {"HOME", "XDG_CONFIG_HOME"}) setenv(name, home.path().c_str(), 1);
    const std::vector<Victim> all = victims();
    int shares = 0;
    for (const Victim& victim : all) shares += victim.share;
    for (const Victim& victim : all)
        kill_again_and_again(victim, home / victim.name, std::max(1, kills * victim.share / shares), random);
    return 0;
}
