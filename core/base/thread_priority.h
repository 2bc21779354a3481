#pragma once

namespace vitrine {

/// Raises the calling thread's niceness to at least `niceness` (0 … 19), so that a window stays responsive.
void lower_priority(int niceness);

}  // namespace vitrine
