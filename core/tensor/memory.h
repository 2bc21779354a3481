#pragma once

#include <string>

namespace vitrine {

// Memory checks before a large allocation: Linux promises more memory than it has and later kills programs.

/// A need for memory. If less is free, `require_memory` throws Error: "<what> takes 12.8 GB of memory, but only 3.1 GB
/// are free; <remedy>".
struct MemoryNeed {
    std::string what;
    double bytes = 0;
    std::string remedy = "open a smaller model, or close other programs";
};
void require_memory(const MemoryNeed& need);
/// The same, with the free memory given.
void require_memory(const MemoryNeed& need, double available);

}  // namespace vitrine
