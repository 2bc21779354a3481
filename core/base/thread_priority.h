#pragma once

namespace vitrine {

/// Gives the thread that calls, and no other, at least this niceness (1 … 19), so that a window stays quick; 0
/// leaves it as it is.
void lower_priority(int niceness);

}  // namespace vitrine
