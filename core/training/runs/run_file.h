#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/training/trainer.h"

// A run's checkpoint: one file of its folder, replaced atomically, with all that the run needs to continue.

namespace vitrine {

/// How far a run has come, as its checkpoint says it.
struct RunProgress {
    std::uint64_t steps = 0;
    int threads = 1;
    double seconds = 0;         // of learning so far
    double running_loss = 0;    // smoothed over some dozen steps
    std::string products = {};  // product_library() of what wrote it: the same gives the same bits
};

/// Writes it; `progress.steps` is the trainer's own. Throws Error.
template <class Family>
void save_run(const std::filesystem::path& folder, const Trainer<Family>& trainer, const RunProgress& progress);

/// The run as it was saved; given as many threads, the trainer continues with the same bits as if it had never stopped.
template <class Family>
struct ResumedRun {
    RunProgress progress;
    std::unique_ptr<Trainer<Family>> trainer;
};
/// Throws Error where there is no such run, with what to do instead.
template <class Family>
ResumedRun<Family> resume_run(const std::filesystem::path& folder, int niceness = 0);

/// Whether a folder holds a run of either family.
bool holds_run(const std::filesystem::path& folder);
/// Whether it is one of texts; false where there is none. Throws Error where the file cannot be read.
bool holds_text_run(const std::filesystem::path& folder);

}  // namespace vitrine
