#pragma once

#include <chrono>
#include <thread>

namespace vitrine {

/// Waits until `so` holds; false after ten minutes, which means a hang rather than a slow machine.
template <class F>
bool eventually(F so) {
    const auto begun = std::chrono::steady_clock::now();
    while (!so()) {
        if (std::chrono::steady_clock::now() - begun > std::chrono::minutes(10)) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace vitrine
