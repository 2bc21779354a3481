#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/training/trainer.h"

namespace vitrine {

/// Loss and accuracy of a run so far, smoothed as if over the last 500 pictures or so.
struct RunningScore {
    double loss = 0, accuracy = 0;
    void take(const StepReport& step, int batch);
};

/// A run that was carried out once: its curves, and how well it named fresh pictures in the end.
struct RunRecord {
    Recipe recipe;
    int threads = 1;
    std::string day = {};  // "2026-11-22"; empty: not said
    std::vector<double> pictures = {}, loss = {}, accuracy = {};  // so far, smoothed
    std::vector<double> checked = {}, fresh = {}, training = {};  // where pictures run out, as in a live run
    double last = 0;           // accuracy in the end, on `thorough` fresh pictures
    double last_training = 0;  // and on the run's own, where they run out
    bool diverged = false;

    static constexpr int thorough = 2000;
};

/// Carries a run out that promises a number of pictures; `progress` may throw Cancelled.
RunRecord record_run(const Recipe& recipe, int threads, const Progress& progress = {});

/// As it is kept, and back. Throws Error.
std::string to_json(const RunRecord& record);
RunRecord run_record_from_json(const std::string& text, const std::string& name);

/// Both runs of an experiment, in one file.
using RecordedPair = std::array<RunRecord, 2>;
std::string to_json(const RecordedPair& pair);
RecordedPair recorded_pair_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
