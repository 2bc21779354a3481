#pragma once

#include <string>

namespace vitrine {

// What is asked before something large begins: Linux grants more memory than it has and then ends programs.

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
