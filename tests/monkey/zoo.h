#pragma once

#include <filesystem>
#include <vector>

#include "app/platform/scratch_folder.h"

namespace vitrine::monkey {

/// A home of the monkey's own with all kinds of files to drop on a window, good and bad. Nothing is written outside it.
class Zoo {
public:
    /// Makes the folder and turns the environment's homes to it.
    Zoo();

    const std::vector<std::filesystem::path>& files() const { return files_; }
    const std::vector<std::filesystem::path>& images() const { return images_; }
    const std::vector<std::filesystem::path>& models() const { return models_; }
    std::filesystem::path home() const { return home_ / "home"; }
    /// Removes what windows have written.
    void sweep() const;

private:
    void add_models();
    void add_spoilt_files();

    ScratchFolder home_;
    std::vector<std::filesystem::path> files_, images_, models_;
};

}  // namespace vitrine::monkey
