#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/training/learning_curve.h"
#include "core/training/recipe.h"
#include "core/training/runs/picture_sight.h"

namespace vitrine {

struct StepReport;

/// Moving average of a run's loss and accuracy; `share` is the weight of the new step (at least 1/step).
struct RunningScore {
    double loss = 0, accuracy = 0;
    void take(const StepReport& step, double share);
};

/// The weight of a step on pictures: averages over about the last 500 pictures.
constexpr double picture_share(int batch) { return batch / 500.0; }

/// Recorded measurements inside the model; attention and probabilities are for the first `examples` example pictures.
struct RecordedSight : PictureSight {
    static constexpr int examples = 3;
    double seen = 0;  // training pictures so far
};

/// A recorded run on pictures: its curves, measurements inside the model, and final accuracies.
struct RunRecord {
    Recipe recipe;
    int threads = 1;
    std::string day = {};  // "2026-11-22"; empty: unknown
    LearningCurve curve = {};
    std::vector<RecordedSight> sights = {};  // from the second step to the last; none after the run diverged
    double last = 0;                         // final accuracy on `thorough` unseen pictures
    double last_training = 0;                // and on training pictures, if these are repeated; else 0
    bool diverged = false;

    static constexpr int thorough = 2000;
    static constexpr int at_a_check = 400;  // pictures of each set
};

/// Carries out a run of a Vision Transformer with a fixed number of pictures; `progress` may throw Cancelled.
RunRecord record_run(const Recipe& recipe, int threads, const Progress& progress = {});

/// JSON of a record, and back. Throws Error.
std::string to_json(const RunRecord& record);
RunRecord run_record_from_json(const std::string& text, const std::string& name);

/// Both runs of an experiment in one file.
using RecordedPair = std::array<RunRecord, 2>;
std::string to_json(const RecordedPair& pair);
RecordedPair recorded_pair_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
