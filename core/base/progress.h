#pragma once

#include <functional>

namespace vitrine {

/// Thrown by a `Progress` callback to stop the operation that reports to it; not an error.
struct Cancelled {};

/// Called with the fraction done, 0 … 1, from the thread that does the work; may throw `Cancelled`. May be empty.
using Progress = std::function<void(double fraction)>;

inline void report(const Progress& progress, double fraction) {
    if (progress) progress(fraction);
}

}  // namespace vitrine
