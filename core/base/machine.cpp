#include "core/base/machine.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// The number after a word in a file with lines such as "MemAvailable: 123 kB" or "inactive_file 456".
std::optional<double> number_after(const fs::path& file, const std::string& word) {
    std::ifstream in(file);
    for (std::string name; in >> name;) {
        if (name == word)
            if (double number = 0; in >> number) return number;
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::nullopt;
}

/// The single number in a file; none if the file is missing or says "max".
std::optional<double> number_in(const fs::path& file) {
    std::ifstream in(file);
    double number = 0;
    return in >> number ? std::optional(number) : std::nullopt;
}

/// A version of control groups: its files, and its name for memory that can be reclaimed at once.
struct GroupFiles {
    const char *limit, *used, *dropped;
};
constexpr GroupFiles version_2 = {"memory.max", "memory.current", "inactive_file"},
                     version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// Free memory in bytes under the limits of a group and its ancestors; none without limits.
std::optional<double> left_in_group(const fs::path& mount, fs::path group, const GroupFiles& files) {
    std::optional<double> left;
    for (group = group.relative_path();; group = group.parent_path()) {
        const fs::path folder = mount / group;
        const auto limit = number_in(folder / files.limit), used = number_in(folder / files.used);
        if (limit && used) {
            const double own = *limit - *used + number_after(folder / "memory.stat", files.dropped).value_or(0);
            left = std::max(0.0, std::min(own, left.value_or(own)));
        }
        if (group.empty()) return left;
    }
}

/// Free memory in bytes in this process's control groups, which /proc/self/cgroup lists as "0::/a/b" (version 2) or
/// "7:memory:/a/b" (version 1).
std::optional<double> left_in_groups(const fs::path& root) {
    std::ifstream in(root / "proc/self/cgroup");
    std::optional<double> least;
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
        const bool old = controllers.find("memory") != std::string::npos;
        if (!old && !controllers.empty()) continue;
        const fs::path mount = root / (old ? "sys/fs/cgroup/memory" : "sys/fs/cgroup");
        const std::optional<double> left = left_in_group(mount, group, old ? version_1 : version_2);
        if (left) least = std::min(*left, least.value_or(*left));
    }
    return least;
}

}  // namespace

std::string processor_name() {
    std::ifstream about("/proc/cpuinfo");
    for (std::string line; std::getline(about, line);)
        if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    return "unknown";
}

int processor_count() {
    static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return count;
}

std::optional<double> available_memory(const fs::path& root) {
    std::optional<double> available = number_after(root / "proc/meminfo", "MemAvailable:");
    if (available) *available *= 1024;
    const std::optional<double> left = left_in_groups(root);
    if (left) available = std::min(*left, available.value_or(*left));
    return available;
}

std::optional<double> peak_memory() {
    std::optional<double> peak = number_after("/proc/self/status", "VmHWM:");
    if (peak) *peak *= 1024;
    return peak;
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

double processor_seconds_of_thread() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace vitrine
