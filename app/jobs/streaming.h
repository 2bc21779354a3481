#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/jobs/frame_source.h"
#include "app/jobs/latest.h"

namespace vitrine {

/// The job that reads a stream. It keeps only the newest frame and drops older ones that were not taken.
///
/// It is never busy, since a stream has no end. A source that fails ends the stream.
class Streaming : public Job {
public:
    using Open = std::function<std::unique_ptr<FrameSource>()>;

    /// `on_change` is called from the job's thread whenever there is a frame or a failure to take.
    explicit Streaming(std::function<void()> on_change = {}) : on_change_(std::move(on_change)) {}
    ~Streaming() override { stop(); }
    Streaming(const Streaming&) = delete;
    Streaming& operator=(const Streaming&) = delete;

    /// Begins a stream, and ends the previous one; `open` is called on the job's thread.
    void play(Open open);
    /// Ends the stream; waits until the source returns.
    void stop();
    /// Pauses the stream, or continues it: while it is paused, no frame is read. A frame not taken yet is dropped.
    void pause(bool on);
    /// Reads one frame while the stream is paused.
    void step();

    /// The newest frame, returned once; none if there is no new one.
    std::optional<StreamFrame> take();
    /// The reason why the stream ended, returned once; empty if it has not.
    std::string take_failure();

    bool busy() const override { return false; }
    void wait() const override {}

private:
    void read(const Open& open);
    void wait_until_due(Clock::time_point due);

    std::function<void()> on_change_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool stop_ = false, paused_ = false;
    int steps_ = 0;  // frames to be read while it is paused
    std::optional<StreamFrame> newest_;
    std::string failure_;
    std::thread thread_;
};

}  // namespace vitrine
