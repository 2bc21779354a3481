#include "core/tensor/recycling_allocator.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/base/aligned_memory.h"
#include "core/base/machine.h"

namespace vitrine::memory_pool {

namespace {

constexpr std::size_t alignment = 64;
/// The most bytes that stay idle: a quarter of what was free at the first use, so that a large run's blocks serve the
/// next run, but at least 1 GiB.
std::size_t most_idle_bytes() {
    constexpr double least = std::size_t{1} << 30;
    return static_cast<std::size_t>(std::max(least, available_memory().value_or(0) / 4));
}

struct Pool {
    const std::size_t most_idle = most_idle_bytes();
    std::mutex mutex;
    std::unordered_map<std::size_t, std::vector<void*>> idle;  // by rounded size
    std::size_t idle_bytes = 0, used_bytes = 0, peak_bytes = 0;
};

/// Never destroyed: tensors in static objects may be freed after main.
Pool& pool() {
    static Pool* const only = new Pool;
    return *only;
}

std::size_t rounded(std::size_t bytes) {
    // Wastes at most a sixteenth, so that tensors of nearly the same size, like those of batches of sentences, can
    // share their blocks.
    const std::size_t step = bytes >= huge_page ? huge_page : std::max(alignment, std::bit_floor(bytes) / 16);
    return std::max(step, (bytes + step - 1) / step * step);
}

}  // namespace

void* allocate(std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    if (size < bytes) throw std::bad_alloc();
    Pool& p = pool();
    {
        const std::lock_guard lock(p.mutex);
        p.used_bytes += size;
        p.peak_bytes = std::max(p.peak_bytes, p.used_bytes);
        const auto found = p.idle.find(size);
        if (found != p.idle.end() && !found->second.empty()) {
            void* const block = found->second.back();
            found->second.pop_back();
            p.idle_bytes -= size;
            return block;
        }
    }
    void* const block = allocate_aligned(size >= huge_page ? huge_page : alignment, size);
    if (block == nullptr) {
        const std::lock_guard lock(p.mutex);
        p.used_bytes -= size;
        throw std::bad_alloc();
    }
    return block;
}

void release(void* block, std::size_t bytes) noexcept {
    if (block == nullptr) return;
    const std::size_t size = rounded(bytes);
    Pool& p = pool();
    {
        const std::lock_guard lock(p.mutex);
        p.used_bytes -= size;
        if (p.idle_bytes + size <= p.most_idle) {
            try {
                p.idle[size].push_back(block);
                p.idle_bytes += size;
                return;
            } catch (const std::bad_alloc&) {
                // No memory to record the block: it is returned to the system below.
            }
        }
    }
    free_aligned(block);
}

void trim() noexcept {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    for (auto& [size, blocks] : p.idle)
        for (void* const block : blocks) free_aligned(block);
    p.idle.clear();
    p.idle_bytes = 0;
}

std::size_t bytes_in_use() noexcept {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    return p.used_bytes;
}

std::size_t idle_bytes() noexcept {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    return p.idle_bytes;
}

std::size_t peak_bytes_in_use() noexcept {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    return p.peak_bytes;
}

void reset_peak() noexcept {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    p.peak_bytes = p.used_bytes;
}

}  // namespace vitrine::memory_pool
