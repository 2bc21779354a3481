#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/platform/file_lock.h"
#include "core/base/output_guard.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// Guard of a command that reads this model and this image: neither may be overwritten; other files are kept unless
/// --force is given.
OutputGuard guard_of(bool force, const ModelSource& model, const ImageSource& image = {});

/// An output folder, locked for one command at a time: created if necessary, and removed again if it stays empty.
class OutputFolder {
public:
    /// Throws Error if it cannot be created, or if another command holds it and `others` is `refused`.
    OutputFolder(const std::filesystem::path& folder, FileLock::Others others);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

private:
    std::vector<std::filesystem::path> made_;  // the folders created here, the innermost first
    std::optional<FileLock> lock_;
};

}  // namespace vitrine
