#include "core/tensor/memory.h"

#include <cstdio>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/tensor/recycling_allocator.h"

namespace vitrine {

namespace {

std::string gigabytes(double bytes) {
    char words[32];
    std::snprintf(words, sizeof words, bytes >= 9.95e9 ? "%.0f GB" : "%.1f GB", bytes / 1e9);
    return words;
}

}  // namespace

void require_memory(const MemoryNeed& need, double available) {
    if (need.bytes <= available) return;
    throw Error(need.what + " takes " + gigabytes(need.bytes) + " of memory, but only " + gigabytes(available) +
                " are free; " + need.remedy);
}

void require_memory(const MemoryNeed& need) {
    if (const std::optional<double> available = available_memory())
        require_memory(need, *available + static_cast<double>(memory_pool::idle_bytes()));
}

}  // namespace vitrine
