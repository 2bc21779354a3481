#pragma once

#include <functional>

namespace vitrine {

/// Seconds of a step of a run that is thrown away afterwards: the mean of a few, the first one left out, in which what
/// is made once is made. `after_step` is called behind each.
double seconds_a_step(const std::function<void()>& step, const std::function<void()>& after_step);

}  // namespace vitrine
