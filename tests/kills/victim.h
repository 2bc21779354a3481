#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace vitrine::kills {

namespace fs = std::filesystem;

/// A process that writes files in its own folder and is killed meanwhile.
struct Victim {
    const char* name;
    int share;  // weight among the victims
    /// The process's work; for a program, its arguments instead.
    std::function<void(const fs::path& folder)> write;
    std::function<std::vector<std::string>(const fs::path& folder)> words;
    /// Throws if a file is half written; called after every kill.
    void (*demand)(const fs::path& folder);
};

/// Functions that write this program's files, each run in its own process, and the program's commands.
std::vector<Victim> victims();

}  // namespace vitrine::kills
