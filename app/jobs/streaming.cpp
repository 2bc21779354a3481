#include "app/jobs/streaming.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/sentence.h"

namespace vitrine {

namespace {

constexpr std::chrono::milliseconds most_late{100};

}  // namespace

void Streaming::play(Open open) {
    stop();
    stop_ = paused_ = false;
    steps_ = 0;
    thread_ = start_thread(ThreadPriority::low, [this, open = std::move(open)] {
        std::string failure;
        try {
            read(open);
        } catch (const Cancelled&) {
            return;
        } catch (...) {
            failure = sentence_of(std::current_exception());
        }
        {
            const std::lock_guard lock(mutex_);
            failure_ = std::move(failure);
        }
        if (on_change_) on_change_();
    });
}

void Streaming::stop() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    newest_.reset();
    failure_.clear();
}

void Streaming::pause(bool on) {
    {
        const std::lock_guard lock(mutex_);
        paused_ = on;
        steps_ = 0;
        newest_.reset();
    }
    changed_.notify_all();
}

void Streaming::step() {
    {
        const std::lock_guard lock(mutex_);
        ++steps_;
    }
    changed_.notify_all();
}

std::optional<StreamFrame> Streaming::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(newest_, {});
}

std::string Streaming::take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, {});
}

/// Waits while the stream is paused, and until the next frame is due. Throws Cancelled.
void Streaming::wait_until_due(Clock::time_point due) {
    std::unique_lock lock(mutex_);
    do {
        changed_.wait(lock, [&] { return stop_ || !paused_ || steps_ > 0; });
    } while (changed_.wait_until(lock, due, [&] { return stop_ || paused_; }) && !stop_ && steps_ == 0);
    if (stop_) throw Cancelled();
}

void Streaming::read(const Open& open) {
    const std::unique_ptr<FrameSource> source = open();
    const Progress goes_on = [this](double) {
        const std::lock_guard lock(mutex_);
        if (stop_) throw Cancelled();
    };
    std::optional<StreamFrame> held;  // a frame that was being read when a pause began
    for (Clock::time_point due = Clock::now();;) {
        wait_until_due(due);
        // Decoding time does not delay the next frame. A stream that is more than `most_late` behind, because it was
        // paused or cannot keep up, continues from now.
        due = std::max(due, Clock::now() - most_late);
        std::optional<StreamFrame> frame = held ? std::exchange(held, {}) : source->next(goes_on);
        if (!frame) continue;
        due += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(frame->seconds));
        bool is_news = false;
        {
            const std::lock_guard lock(mutex_);
            if (stop_) throw Cancelled();
            if (paused_ && steps_ == 0) {
                held = std::move(frame);
                continue;
            }
            steps_ = std::max(0, steps_ - 1);
            is_news = !newest_;  // otherwise the window has been woken already
            newest_ = std::move(frame);
        }
        if (is_news && on_change_) on_change_();
    }
}

}  // namespace vitrine
