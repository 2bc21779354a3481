#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vitrine {

// How much memory there is, asked before something large begins: Linux grants more than it has and then ends programs.

/// Bytes that this process can still take without anything being swapped or ended: what the machine has left, or less
/// where its control group has a limit (a container, a batch system). None where the system does not tell.
/// `root` stands before /proc and /sys.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

/// Throws Error where `bytes` more are not there: "<what> takes 12.8 GB of memory, but only 3.1 GB are free;
/// <remedy>".
struct MemoryNeed {
    std::string what;
    double bytes = 0;
    std::string remedy = "open a smaller model, or close other programs";
};
void require_memory(const MemoryNeed& need);
/// The same against memory that is known.
void require_memory(const MemoryNeed& need, double available);

}  // namespace vitrine
