#pragma once

#include <cstddef>

namespace vitrine {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Fresh memory at a multiple of `alignment`, of which `bytes` are one; from a huge page on in huge pages where the
/// system has them, which take fewer faults. Null where there is none.
void* allocate_aligned(std::size_t alignment, std::size_t bytes) noexcept;

/// Gives it back; null is no matter.
void free_aligned(void* block) noexcept;

}  // namespace vitrine
