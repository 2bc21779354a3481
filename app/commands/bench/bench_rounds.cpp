#include "app/commands/bench/bench_rounds.h"

#include <filesystem>
#include <sstream>

#include "app/commands/bench/median.h"
#include "app/platform/child_process.h"
#include "core/base/clock.h"

namespace vitrine {

namespace {

/// Runs the script for one round; returns its speed in pictures or sentences per second, none if it fails.
std::optional<double> torch_round(const TrainRounds& r) {
    std::vector<std::string> arguments = {r.script, std::to_string(r.threads), std::to_string(r.batch),
                                          std::to_string(round_seconds)};
    arguments.insert(arguments.end(), r.arguments.begin(), r.arguments.end());
    ChildProcess python(
        {arguments, "/usr/bin/python3", {"OMP_NUM_THREADS=" + std::to_string(r.threads)}, ChildProcess::Kept::output});
    const ChildProcess::End end = python.wait();
    std::istringstream words(end.words);
    double speed = 0;
    return end.status == 0 && words >> speed ? std::optional(speed) : std::nullopt;
}

}  // namespace

ProductRounds::ProductRounds(int threads, const std::function<std::function<void()>(int member)>& make)
    : team_(threads), shares_(static_cast<std::size_t>(threads)) {
    team_.run([&](int member) {
        std::function<void()>& share = shares_[static_cast<std::size_t>(member)];
        share = make(member);
        share();  // warm-up
    });
}

double ProductRounds::round() {
    int runs = 0;
    const auto start = Clock::now();
    for (; seconds_since(start) < round_seconds / 2; ++runs)
        team_.run([&](int member) { shares_[static_cast<std::size_t>(member)](); });
    return seconds_since(start) * 1e3 / runs;
}

double Lap::round() {
    const TrainerTimes before = trained_.times();
    const auto start = Clock::now();
    int steps = 0;
    for (; seconds_since(start) < round_seconds; ++steps) trained_.step();
    const double wall = seconds_since(start);
    const double drawing = (trained_.times().drawing - before.drawing) / trained_.threads;
    drawing_ = drawing / wall;
    return steps * trained_.batch / (wall - drawing);
}

TrainTiming time_rounds(const TrainRounds& r, int count) {
    std::error_code unreachable;
    const bool has_script = std::filesystem::exists(r.script, unreachable);
    std::vector<double> speeds, plain_speeds, torch_speeds, bounds, ratios, quotients;
    for (int i = 0; i < count; ++i) {
        bounds.push_back(r.bound_ms());
        speeds.push_back(r.muon());
        ratios.push_back(1e3 * r.batch / speeds.back() / bounds.back());
        plain_speeds.push_back(r.adamw());
        const auto torch = has_script ? torch_round(r) : std::nullopt;
        if (!torch) continue;
        torch_speeds.push_back(*torch);
        quotients.push_back(plain_speeds.back() / *torch);
    }
    TrainTiming t;
    t.threads = r.threads;
    t.batch = r.batch;
    t.rounds = count;
    t.per_second = median(speeds);
    t.adamw_per_second = median(plain_speeds);
    t.step_ms = 1e3 * r.batch / t.per_second;
    t.bound_ms = median(bounds);
    t.ratio = median(ratios);
    if (!torch_speeds.empty()) {
        t.torch_per_second = median(torch_speeds);
        t.against_torch = median(quotients);
    } else {
        t.torch_words = has_script ? "python3-torch is not installed"
                                   : r.script + " is not here; run it from the sources, as ./dev bench does";
    }
    return t;
}

}  // namespace vitrine
