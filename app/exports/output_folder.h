#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/platform/file_lock.h"
#include "core/base/output_guard.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// The guard of a command that reads this model and this image: neither may be written over; what else is there stays
/// unless the user says --force.
OutputGuard guard_of(bool force, const ModelSource& model, const ImageSource& image = {});

/// A folder that a command writes into, one command at a time: made where it is not there, and gone again where nothing
/// came into it.
class OutputFolder {
public:
    /// Throws Error where it cannot be made, or where another command holds it and that is not awaited.
    OutputFolder(const std::filesystem::path& folder, FileLock::Others others);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

private:
    std::vector<std::filesystem::path> made_;  // the innermost first
    std::optional<FileLock> lock_;
};

}  // namespace vitrine
