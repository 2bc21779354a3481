#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/training/crew.h"
#include "core/training/learning_curve.h"
#include "core/training/recipe.h"
#include "core/training/text/text_evaluation.h"

namespace vitrine {

/// Loss and accuracy of a run so far, smoothed; each step counts by its share.
struct RunningScore {
    double loss = 0, accuracy = 0;
    void take(const StepReport& step, double share);
};

/// A step's share where pictures are smoothed, as if over the last 500 or so.
constexpr double picture_share(int batch) { return batch / 500.0; }

/// A run of pictures that was carried out once: its curves, and how well it named fresh ones in the end.
struct RunRecord {
    Recipe recipe;
    int threads = 1;
    std::string day = {};  // "2026-11-22"; empty: not said
    LearningCurve curve = {};
    double last = 0;           // accuracy in the end, on `thorough` fresh pictures
    double last_training = 0;  // and on the run's own, where they run out
    bool diverged = false;

    static constexpr int thorough = 2000;
};

/// The same of a text Transformer, tried in the end on as many held-out examples.
struct TextRecord {
    TextEvaluation evaluation;
    double loss = 0;  // mean of the last steps, in nats
};

/// Carries a run out that promises a number of examples; `progress` may throw Cancelled.
RunRecord record_run(const Recipe& recipe, int threads, const Progress& progress = {});
TextRecord record_run(const TextRecipe& recipe, int threads, const Progress& progress = {});

/// As it is kept, and back. Throws Error.
std::string to_json(const RunRecord& record);
RunRecord run_record_from_json(const std::string& text, const std::string& name);

/// Both runs of an experiment, in one file.
using RecordedPair = std::array<RunRecord, 2>;
std::string to_json(const RecordedPair& pair);
RecordedPair recorded_pair_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
