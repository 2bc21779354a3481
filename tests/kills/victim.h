#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace vitrine::kills {

namespace fs = std::filesystem;

/// Something that writes files in a folder of its own and is killed meanwhile.
struct Victim {
    const char* name;
    int share;  // of the kills, beside the others'
    /// What the process does; of a program, its arguments instead.
    std::function<void(const fs::path& folder)> write;
    std::function<std::vector<std::string>(const fs::path& folder)> words;
    /// Throws where something is half written; called after every kill.
    void (*demand)(const fs::path& folder);
};

/// The writers of this program's own files, called in a process of their own, and the program's commands.
std::vector<Victim> victims();

}  // namespace vitrine::kills
