#pragma once

#include <functional>

namespace vitrine {

/// Thrown by a `Progress` callback to cancel the operation that reports to it; not an error.
struct Cancelled {};

/// Called with the fraction done, 0 … 1, on the thread that does the work. May throw `Cancelled`. May be empty.
using Progress = std::function<void(double fraction)>;

inline void report(const Progress& progress, double fraction) {
    if (progress) progress(fraction);
}

}  // namespace vitrine
