#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/training/trainer.h"

// A run's checkpoint: a single file in its folder, replaced atomically, with everything the run needs to continue.

namespace vitrine {

/// A run's progress as recorded in its checkpoint.
struct RunProgress {
    std::uint64_t steps = 0;
    int threads = 1;
    double seconds = 0;         // of training so far
    double running_loss = 0;    // smoothed over a few dozen steps
    std::string products = {};  // product_library() of the writer: the same library gives the same bits
    std::string window = {};    // further state that the window stores, as JSON; empty in a run's folder
    std::uint64_t seen = 0;     // training pictures or sentences so far: steps · batch; only `progress_of_run` sets it
};

/// Writes the run's file to `folder`; the number of steps is the trainer's, not `progress.steps`. Throws Error.
template <class Family>
void save_run(const std::filesystem::path& folder, const Trainer<Family>& trainer, const RunProgress& progress);

/// A saved run, ready to continue; with the same number of threads, its trainer gives the same bits as an
/// uninterrupted run.
template <class Family>
struct ResumedRun {
    RunProgress progress;
    std::unique_ptr<Trainer<Family>> trainer;
};
/// Loads the run in `folder`. Throws Error, with the remedy, if there is none.
template <class Family>
ResumedRun<Family> resume_run(const std::filesystem::path& folder, int niceness = 0);

/// The bytes of a run's file.
template <class Family>
std::string run_bytes(const Trainer<Family>& trainer, const RunProgress& progress);
/// Restores the state in such bytes to a trainer, and returns its progress; with the same number of threads, the
/// trainer continues with the same bits. Throws Error, also if the recipes differ.
template <class Family>
RunProgress restore_run(const std::string& bytes, Trainer<Family>& trainer);
/// Loads the run in such bytes. Throws Error.
template <class Family>
ResumedRun<Family> resume_bytes(const std::string& bytes, int niceness = 0);
/// Progress of the run in such a file, or in its bytes. Throws Error.
RunProgress progress_of_run(const std::filesystem::path& file);
RunProgress progress_in(const std::string& bytes);
/// Recipe of the run in such bytes. Throws Error.
template <class Family>
typename Family::Recipe recipe_in(const std::string& bytes);

/// True if a folder holds a run of either family.
bool holds_run(const std::filesystem::path& folder);
/// True if a folder holds a run of texts. Throws Error if the file exists but cannot be read.
bool holds_text_run(const std::filesystem::path& folder);

}  // namespace vitrine
