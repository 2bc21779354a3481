#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace vitrine {

/// Progress of a fetch.
struct HubReport {
    std::string file;                   // file being fetched; empty while the hub is asked
    std::uint64_t done = 0, total = 0;  // bytes of all files
    std::uint64_t came = 0;             // bytes received by this fetch
    double seconds_left = -1;           // < 0: not known yet
    int waits = 0;                      // seconds left of a wait that the hub asked for; 0: none
    bool waits_for_other = false;       // another program is fetching this file
};
/// Called several times a second; may throw Cancelled.
using HubProgress = std::function<void(const HubReport&)>;

}  // namespace vitrine
