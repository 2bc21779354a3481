#pragma once

namespace vitrine {

/// Gives the thread that calls, and no other, at least this niceness (0 … 19), so that a window stays quick.
void lower_priority(int niceness);

}  // namespace vitrine
