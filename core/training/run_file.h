#pragma once

#include <filesystem>
#include <string>

#include "core/files/safetensors.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// A run's progress as recorded in its checkpoint.
struct RunProgress {
    std::uint64_t steps = 0;
    int threads = 1;
    double seconds = 0;         // of training so far
    double running_loss = 0;    // smoothed over some dozen steps
    std::string products = {};  // product_library() of the writer: the same library gives the same bits
};

/// Writes what a run of any kind needs to resume into one file of a folder, atomically: the recipe as text, progress,
/// parameters and the optimiser's moments.
void write_run_file(const std::filesystem::path& folder, const std::string& recipe, const RunProgress& progress,
                    const FlatNumbers& parameters, const OptimiserState& moments);

/// True if a folder has such a file.
bool has_run_file(const std::filesystem::path& folder);

/// The same file, opened for reading. Throws Error, with the remedy, if it is not one.
class RunFile {
public:
    explicit RunFile(const std::filesystem::path& folder);

    const std::string& name() const { return file_.name(); }
    const std::string& recipe() const { return recipe_; }
    const RunProgress& progress() const { return progress_; }
    /// Reads the numbers into buffers of the recipe's sizes.
    void read(FlatNumbers& parameters, OptimiserState& moments) const;

private:
    void read_row(const char* name, FlatNumbers& row) const;

    Safetensors file_;
    std::string recipe_;
    RunProgress progress_;
};

}  // namespace vitrine
