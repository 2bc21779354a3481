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
/// Only the newest content of a file is written: at once, then at most once per `pause`. Pending content is written
/// when the writer is destroyed.
class Writer {
public:
    static constexpr std::chrono::milliseconds once_a_second{1000};

    /// `failed` is called from the writer's thread when there is a failure to take.
    explicit Writer(std::chrono::milliseconds pause = once_a_second, std::function<void()> failed = {});
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Atomic replace, flushed to disk, readable only by the owner; creates folders.
    void write(const std::filesystem::path& file, std::string content);
    /// Writes a file by a function that runs on the writer's thread and may throw.
    void write(const std::filesystem::path& file, std::function<void()> job);

    /// Returns when nothing is pending.
    void finish();
    /// Discards pending content of this file; when it returns, the file is not being written.
    void forget(const std::filesystem::path& file);

    /// The latest failure as a sentence; empty if there is none, or it has been returned. A file's failure is reported
    /// again only after a success in between.
    std::string take_failure();

private:
    struct Row {
        std::function<void()> job;  // empty: nothing pending
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
    std::filesystem::path writing_;  // empty: none
    bool quit_ = false;
    int hurried_ = 0;  // number of threads waiting in `finish`
    std::thread thread_;
};

}  // namespace vitrine
