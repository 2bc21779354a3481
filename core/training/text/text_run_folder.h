#pragma once

#include <filesystem>
#include <memory>

#include "core/training/runs/run_file.h"
#include "core/training/text/text_trainer.h"

namespace vitrine {

/// Writes everything that a run needs to go on, in one file that is whole or not there; `progress.steps` is the
/// trainer's own. Throws Error.
void save_text_run(const std::filesystem::path& folder, const TextTrainer& trainer, const RunProgress& progress);

/// The run as it was saved; the trainer continues with the same bits as if it had never stopped, given as many threads.
struct ResumedTextRun {
    RunProgress progress;
    std::unique_ptr<TextTrainer> trainer;
};
ResumedTextRun resume_text_run(const std::filesystem::path& folder, int niceness = 0);

/// Whether the run in a folder learns text; false where there is none or it learns pictures. Throws Error where its
/// file cannot be read.
bool holds_text_run(const std::filesystem::path& folder);

}  // namespace vitrine
