// monkey [ACTIONS] [SEED] [PLACE]: does to a window what comes by chance, and sees that all that must hold does. With a
// place (a room, or learn.text) it goes back there whenever it has left.

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "app/commands/commands.h"
#include "tests/monkey/actions.h"
#include "tests/monkey/record.h"
#include "tests/monkey/wishes.h"

namespace {

using namespace vitrine::monkey;

/// MiB of memory that this process holds.
double memory() {
    std::ifstream statm("/proc/self/statm");
    double whole = 0, resident = 0;
    statm >> whole >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

bool take(const char* word, std::uint64_t& number) {
    return std::from_chars(word, word + std::strlen(word), number).ec == std::errc();
}

void play(std::uint64_t count, std::uint64_t seed, const std::string& place) {
    constexpr double most_growth = 1500;  // MiB after the first fifth: models, histories and what sanitizers keep
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const Zoo zoo;
    Window window(zoo);
    double early = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        Dice dice(seed, i);
        choose(dice).act(window, dice);
        if (!place.empty() && i % 8 == 0)
            for (const vitrine::Command& command : way_to(window, place)) window.app().ask(command);
        if ((i + 1) % std::max<std::uint64_t>(count / 10, 1) != 0) continue;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        std::printf("monkey: %llu actions, %.0f s, %.0f MiB\n", static_cast<unsigned long long>(i + 1), seconds,
                    memory());
        std::fflush(stdout);
        if (early == 0 && i + 1 >= count / 5) early = memory();
        if (early > 0 && memory() > early + most_growth) fault("memory grows without bound");
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[0], "vitrine") == 0) {  // a window's export: this program as a command
        try {
            return vitrine::run_command_line(argc, argv);
        } catch (const std::exception& error) {
            return std::fprintf(stderr, "vitrine: %s\n", error.what()), 1;
        }
    }
    std::uint64_t count = 3000, seed = std::random_device()() % 1'000'000;
    const std::string place = argc > 3 ? argv[3] : "";
    if (argc > 4 || (argc > 1 && !take(argv[1], count)) || (argc > 2 && !take(argv[2], seed))) {
        std::fprintf(stderr, "monkey [ACTIONS] [SEED] [PLACE]: two whole numbers, and a room or learn.text\n");
        return 2;
    }
    std::printf("monkey: seed %llu\n", static_cast<unsigned long long>(seed));
    std::fflush(stdout);
    watch("monkey: ./dev monkey " + std::to_string(count) + " " + std::to_string(seed) +
          (place.empty() ? "" : " " + place) + " does the same again");
    play(count, seed, place);
    std::printf("monkey: nothing was found\n");
    return 0;
}
