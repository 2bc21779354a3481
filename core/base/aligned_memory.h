#pragma once

#include <cstddef>

namespace vitrine {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Allocates `bytes` (a multiple of `alignment`) of memory with this alignment. With an alignment of `huge_page` or
/// more the block uses huge pages if the system has them, which cause fewer page faults. Null if there is no memory.
void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept;

/// Frees a block of `allocate_aligned`; null is allowed.
void free_aligned(void* block) noexcept;

}  // namespace vitrine
