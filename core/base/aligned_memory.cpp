#include "core/base/aligned_memory.h"

#include <sys/mman.h>

#include <cstdlib>

namespace vitrine {

void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept {
    void* const block = std::aligned_alloc(alignment, bytes);
    if (block != nullptr && alignment >= huge_page) madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

void free_aligned(void* block) noexcept { std::free(block); }

}  // namespace vitrine
