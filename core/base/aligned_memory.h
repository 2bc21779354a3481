#pragma once

#include <cstddef>

namespace vitrine {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Allocates `bytes` of fresh memory, a multiple of `alignment`, which is also the alignment of the result. Huge pages
/// are used from one huge page on where the system has them: they cost fewer page faults. Null if there is no memory.
void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept;

/// Frees it; null is allowed.
void free_aligned(void* block) noexcept;

}  // namespace vitrine
