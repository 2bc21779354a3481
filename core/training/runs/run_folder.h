#pragma once

#include <filesystem>
#include <memory>

#include "core/training/trainer.h"

namespace vitrine {

/// What a run was and how far it came, as its checkpoint holds it beside the numbers.
struct RunState {
    Recipe recipe;
    int threads = 1;
    double seconds = 0;       // of learning so far
    double running_loss = 0;  // smoothed over some dozen steps
};

/// Writes everything that the run needs to go on, in one file that is whole or not there. Throws Error.
void save_run(const std::filesystem::path& folder, const Trainer& trainer, const RunState& state);

/// Whether a folder holds a run that can go on.
bool holds_run(const std::filesystem::path& folder);

/// The run as it was saved; the trainer continues with the same bits as if it had never stopped, given as many threads.
struct ResumedRun {
    RunState state;
    std::unique_ptr<Trainer> trainer;
};
ResumedRun resume_run(const std::filesystem::path& folder, int niceness = 0);

}  // namespace vitrine
