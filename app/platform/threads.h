#pragma once

#include <functional>
#include <thread>

namespace vitrine {

enum class ThreadPriority { normal, low };

/// The niceness that low priority adds to a thread.
inline constexpr int low_niceness = 10;

/// The number of threads for work in the background: one less than the cores, at least one, or the user's limit.
int training_thread_count();

/// Limits these threads and the caller's for the rest of the process, as the user's --threads requests.
void limit_threads(int threads);

/// Starts a thread of the app; the only place that does. Its `parallel` work leaves one core to the window.
std::thread start_thread(ThreadPriority priority, std::function<void()> work);

}  // namespace vitrine
