#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace vitrine {

/// Everything a run in training needs to continue in another window: the bytes of its file. Null before its first step.
using RunCheckpoint = std::shared_ptr<const std::string>;

/// The checkpoints of a window's runs, by their file names in the window's folder: "pictures.0", "texts.1"; finished
/// runs that others have replaced on the screen: "pictures.aside.0".
using KeptRuns = std::map<std::string, RunCheckpoint>;

/// The most runs of a family that a window keeps: A and B.
inline constexpr std::size_t most_kept_runs = 2;

inline std::string name_of_kept_run(bool texts, std::size_t run) {
    return (texts ? "texts." : "pictures.") + std::to_string(run);
}

/// The most finished runs of a family that a window keeps while others are on the screen: the newest ones.
inline constexpr std::size_t most_kept_aside = 4;

inline std::string name_of_kept_aside(bool texts, std::size_t run) {
    return (texts ? "texts.aside." : "pictures.aside.") + std::to_string(run);
}

}  // namespace vitrine
