#pragma once

#include <filesystem>
#include <vector>

#include "app/platform/scratch_folder.h"

namespace vitrine::monkey {

/// A temporary home with valid and invalid files of all kinds to drop on a window. Nothing is written outside it.
class Zoo {
public:
    /// Creates the folder and points the environment's homes to it.
    Zoo();

    const std::vector<std::filesystem::path>& files() const { return files_; }
    const std::vector<std::filesystem::path>& images() const { return images_; }
    const std::vector<std::filesystem::path>& models() const { return models_; }
    std::filesystem::path home() const { return home_ / "home"; }
    /// Deletes the files written by windows.
    void sweep() const;

private:
    void add_models();
    void add_spoilt_files();

    ScratchFolder home_;
    std::vector<std::filesystem::path> files_, images_, models_;
};

}  // namespace vitrine::monkey
