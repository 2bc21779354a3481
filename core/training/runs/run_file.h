#pragma once

#include <filesystem>
#include <string>

#include "core/files/safetensors.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// How far a run has come, as its checkpoint says it.
struct RunProgress {
    std::uint64_t steps = 0;
    int threads = 1;
    double seconds = 0;         // of learning so far
    double running_loss = 0;    // smoothed over some dozen steps
    std::string products = {};  // product_library() of what wrote it: the same gives the same bits
};

/// What a run of any kind goes on from, in one file of a folder that is whole or not there: its recipe in words, how
/// far it came, its parameters and the optimiser's moments.
void write_run_file(const std::filesystem::path& folder, const std::string& recipe, const RunProgress& progress,
                    const FlatNumbers& parameters, const OptimiserState& moments);

/// Whether a folder holds one.
bool has_run_file(const std::filesystem::path& folder);

/// The same file, read. Throws Error where it is none, with what to do instead.
class RunFile {
public:
    explicit RunFile(const std::filesystem::path& folder);

    const std::string& name() const { return file_.name(); }
    const std::string& recipe() const { return recipe_; }
    const RunProgress& progress() const { return progress_; }
    /// Reads the rows of numbers into rows of the recipe's lengths.
    void read(FlatNumbers& parameters, OptimiserState& moments) const;

private:
    void read_row(const char* name, FlatNumbers& row) const;

    Safetensors file_;
    std::string recipe_;
    RunProgress progress_;
};

}  // namespace vitrine
