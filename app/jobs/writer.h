#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/clock.h"

namespace vitrine {

/// Writes files on a thread of its own, so that the window never waits for a disk: settings, notes, the session.
///
/// Of each file only the newest content counts; it is written at once, then at most once in `pause`. What waits is
/// written when the writer goes.
class Writer {
public:
    static constexpr std::chrono::milliseconds once_a_second{1000};

    /// `failed` is called from the writer's thread when there is a failure to take.
    explicit Writer(std::chrono::milliseconds pause = once_a_second, std::function<void()> failed = {});
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Whole or not at all, on the disk before it takes the place of what was there, for its owner's eyes; folders are
    /// made.
    void write(const std::filesystem::path& file, std::string content);
    /// The same by a function that runs on the writer's thread and may throw.
    void write(const std::filesystem::path& file, std::function<void()> job);

    /// Returns when nothing waits any more.
    void finish();
    /// What waits for this file is not written, and it is not being written any more when this returns.
    void forget(const std::filesystem::path& file);

    /// What could not be written, as a sentence; empty where all went well or has been told. A file is told again only
    /// after it could be written in between.
    std::string take_failure();

private:
    struct Row {
        std::function<void()> job;  // empty: nothing waits
        Clock::time_point earliest = Clock::time_point::min();
        bool failed = false;
    };

    void run();
    std::map<std::filesystem::path, Row>::iterator next();
    std::string carry_out(const std::function<void()>& job, const std::filesystem::path& file) const;
    bool idle() const;

    const std::chrono::milliseconds pause_;
    const std::function<void()> failed_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::filesystem::path, Row> rows_;
    std::string failure_;
    std::filesystem::path writing_;  // empty: nothing is being written
    bool quit_ = false;
    int hurried_ = 0;  // who waits in `finish`
    std::thread thread_;
};

}  // namespace vitrine
