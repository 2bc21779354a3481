#pragma once

#include <functional>
#include <thread>

namespace vitrine {

enum class ThreadPriority { normal, low };

/// What low priority adds to a thread's niceness.
inline constexpr int low_niceness = 10;

/// The cores that work beside the window may take: all but one, at least one.
int cores_beside_the_window();

/// Starts a thread of the app, the only place that does. What it computes with `parallel` leaves one core to the
/// window.
std::thread start_thread(ThreadPriority priority, std::function<void()> work);

}  // namespace vitrine
