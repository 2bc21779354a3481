#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vitrine {

// What the system tells of the machine and of this process: /proc, control groups, clocks.

/// The processor's name as the system tells it, "unknown" where it does not.
std::string processor_name();

/// How many there are for this process.
int processor_count();

/// Bytes that this process can still take without anything being swapped or ended: what the machine has left, or less
/// where its control group has a limit (a container, a batch system). None where the system does not tell.
/// `root` stands before /proc and /sys.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

/// The most bytes of memory that this process has held since it began or since `forget_peak_memory`; none where the
/// system does not tell.
std::optional<double> peak_memory();
void forget_peak_memory();

/// The processor time that this thread has had: what else the machine does is left out.
double processor_seconds_of_thread();

}  // namespace vitrine
