#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace vitrine {

// Facts about the machine and this process, from /proc, control groups and clocks.

/// The processor's name as the system reports it; "unknown" if it does not.
std::string processor_name();

/// The number of processors that this process may use.
int processor_count();

/// The number of bytes that this process can still allocate before anything is swapped out or killed: the machine's
/// free memory, or less under a control group's limit (a container, a batch system). None if the system does not report
/// it. `root` is a prefix of /proc and /sys, for tests.
std::optional<double> available_memory(const std::filesystem::path& root = "/");

/// This process's peak memory in bytes, since it began or since `forget_peak_memory`; none if the system does not
/// report it.
std::optional<double> peak_memory();
void forget_peak_memory();

/// This thread's processor time in seconds, which excludes other work on the machine.
double processor_seconds_of_thread();

}  // namespace vitrine
