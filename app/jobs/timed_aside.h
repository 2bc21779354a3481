#pragma once

#include <functional>

namespace vitrine {

/// Seconds per step of a run that is discarded afterwards: the mean of a few steps, without the first one, which
/// initialises caches. `after_step` is called after each.
double seconds_a_step(const std::function<void()>& step, const std::function<void()>& after_step);

}  // namespace vitrine
