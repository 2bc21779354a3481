#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace vitrine {

/// How far a fetch is.
struct HubReport {
    std::string file;                   // the one at work; empty while the hub is asked
    std::uint64_t done = 0, total = 0;  // bytes of all files
    std::uint64_t came = 0;             // bytes received by this fetch
    double seconds_left = -1;           // < 0: not known yet
    int waits = 0;                      // seconds that the hub asked to wait; 0: it did not
    bool waits_for_other = false;       // another program is fetching this file
};
/// Called several times a second; may throw Cancelled.
using HubProgress = std::function<void(const HubReport&)>;

}  // namespace vitrine
