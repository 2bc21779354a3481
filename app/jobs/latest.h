#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/platform/threads.h"
#include "core/base/clock.h"
#include "core/base/progress.h"

// The interface of a job, and a base of most of them.

namespace vitrine {

/// Work on a thread of its own, beside the window's; the interface that the registry of jobs uses.
class Job {
public:
    virtual ~Job() = default;

    /// Drops all work and results of a closed workspace. Does nothing if the job has no workspaces.
    virtual void forget(int /*workspace*/) {}
    /// True if a request is not done.
    virtual bool busy() const = 0;
    /// Waits until all requests are done (commands and tests).
    virtual void wait() const = 0;
};

/// The fate of a run when a newer or more urgent request arrives.
enum class Overtaken { stops, finishes };

/// Options of a request.
struct Asking {
    int priority = 0;  // highest first; among equals, the longest waiting first
    Overtaken running = Overtaken::stops;
};

/// Describes the exception that is being handled, in one sentence.
std::string sentence_of_failure();

/// A thread that carries out requests of several clients: the newest request of each client replaces older ones, and
/// its newest result is kept.
///
/// A run that is overtaken stops at its next progress report; a less urgent client's run then waits and restarts later.
/// Requests that arrive faster than a run takes should use `Overtaken::finishes`, or no run would ever end. Exceptions
/// in a run become sentences, and the thread continues. Client numbers are assigned by the caller.
///
/// `Failure` is a sentence, or constructed from the request and the sentence. Requests are compared by ==.
template <class Request, class Result, class Failure = std::string>
class Latest : public Job {
public:
    /// The job's interface for the work in progress. Functions that return nothing throw Cancelled once the run is
    /// overtaken.
    class Run {
    public:
        explicit Run(Latest& job, std::shared_ptr<const Request> request) : job_(job), request_(std::move(request)) {}

        const Request& request() const { return *request_; }
        /// This client's result, null before the first one.
        std::shared_ptr<const Result> before() const { return job_.result_of_current(); }
        /// The results of all clients, this one's first.
        std::vector<std::shared_ptr<const Result>> results() const { return job_.results(); }

        /// Reports another stage of the work; stages are numbered by the work itself, from 1.
        void enter(int stage) { job_.enter(stage); }
        void publish(std::shared_ptr<const Result> result) { job_.publish(std::move(result)); }
        Progress progress() {
            return [this](double fraction) { job_.report_progress(fraction); };
        }

    private:
        Latest& job_;
        std::shared_ptr<const Request> request_;
    };
    using Work = std::function<void(Run&)>;

    /// `work` is called on the job's thread for each request. `on_change` is called there, too, whenever `latest` would
    /// return something new.
    explicit Latest(Work work, std::function<void()> on_change = {}, ThreadPriority priority = ThreadPriority::normal)
        : work_(std::move(work)),
          on_change_(std::move(on_change)),
          thread_(start_thread(priority, [this] { serve(); })) {}

    /// Stops the current run; waits at most until its next progress report.
    ~Latest() override {
        {
            const std::lock_guard lock(mutex_);
            quit_ = true;
            if (current_) current_->stop = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Latest(const Latest&) = delete;
    Latest& operator=(const Latest&) = delete;

    /// Requests something; if it equals the client's last request, only the priority is updated.
    void request(int client, const Request& request, Asking asking = {}) {
        {
            const std::lock_guard lock(mutex_);
            Slot& slot = slots_[client];
            // Unchanged: don't notify.
            if (slot.asked && slot.priority == asking.priority && *slot.asked == request) return;
            slot.priority = asking.priority;
            if (!slot.asked || !(*slot.asked == request)) {
                slot.asked = std::make_shared<const Request>(request);
                if (!slot.waiting) slot.turn = ++turns_;
                slot.waiting = slot.asked;
                slot.running = asking.running;
                if (runs(client) && asking.running == Overtaken::stops) current_->stop = true;
            }
            preempt_if_needed();
        }
        changed_.notify_all();
    }

    /// Sets a client's result, as if the request had been carried out.
    void give(int client, const Request& request, std::shared_ptr<const Result> result) {
        const std::lock_guard lock(mutex_);
        Slot& slot = slots_[client];
        slot.asked = std::make_shared<const Request>(request);
        slot.result = std::move(result);
    }

    /// Cancels a client's request; its result stays, and the same request is not started again.
    void cancel(int client) {
        {
            const std::lock_guard lock(mutex_);
            const auto slot = slots_.find(client);
            if (slot == slots_.end()) return;
            if (runs(client)) current_->stop = true;
            slot->second.waiting.reset();
            slot->second.failure.reset();
        }
        changed_.notify_all();
    }
    /// Cancels a client's request, as if `asked` had been requested and done; null: any next request is started.
    void cancel(int client, std::shared_ptr<const Request> asked) {
        cancel(client);
        const std::lock_guard lock(mutex_);
        if (const auto slot = slots_.find(client); slot != slots_.end()) slot->second.asked = std::move(asked);
    }

    /// Cancels a client's request and drops its result.
    void forget(int client) override {
        typename Slots::node_type gone;  // freed after the mutex is released
        {
            const std::lock_guard lock(mutex_);
            if (runs(client)) current_->stop = true;
            gone = slots_.extract(client);
        }
        changed_.notify_all();
    }

    struct State {
        std::shared_ptr<const Result> result;    // newest; null before the first
        std::shared_ptr<const Failure> failure;  // why the last run ended without a result
        bool running = false;                    // a request is not done
        int stage = 0;                           // of the run; 0 while it waits
        double fraction = 0, seconds = 0;        // of the stage; since the run started
    };
    /// A client's newest result, failure and progress; the only exchange between the threads, called once per frame.
    State latest(int client) const {
        const std::lock_guard lock(mutex_);
        const auto slot = slots_.find(client);
        if (slot == slots_.end()) return {};
        State now{slot->second.result, slot->second.failure, slot->second.waiting != nullptr, 0, 0, 0};
        if (!runs(client)) return now;
        now.running = true;
        now.stage = current_->stage;
        now.fraction = current_->fraction;
        now.seconds = std::chrono::duration<double>(Clock::now() - current_->taken_up).count();
        return now;
    }

    /// A client's failure, returned once; empty if there is none.
    Failure take_failure(int client) {
        const std::lock_guard lock(mutex_);
        const auto slot = slots_.find(client);
        const auto failure = slot == slots_.end() ? nullptr : std::exchange(slot->second.failure, nullptr);
        return failure ? *failure : Failure();
    }

    /// True if a request is not done.
    bool busy() const override {
        const std::lock_guard lock(mutex_);
        return !idle();
    }
    void wait() const override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return idle(); });
    }

private:
    struct Slot {
        std::shared_ptr<const Request> asked;    // newest, kept after it is done
        std::shared_ptr<const Request> waiting;  // not started, or to be restarted
        Overtaken running = Overtaken::stops;    // what happens to the run that `waiting` overtakes
        int priority = 0;
        std::uint64_t turn = 0;  // orders the queue, lowest first
        std::shared_ptr<const Result> result;
        std::shared_ptr<const Failure> failure;
    };
    using Slots = std::map<int, Slot>;
    struct Current {
        int client = 0;
        std::shared_ptr<const Request> request;
        std::uint64_t turn = 0;
        Clock::time_point taken_up;
        bool stop = false;
        int stage = 0;
        double fraction = 0;
    };

    // Requires the mutex.
    bool runs(int client) const { return current_ && !current_->stop && current_->client == client; }
    /// The next client in the queue, or the end.
    typename Slots::iterator next() {
        auto best = slots_.end();
        for (auto at = slots_.begin(); at != slots_.end(); ++at)
            if (at->second.waiting && (best == slots_.end() || goes_before(at->second, best->second))) best = at;
        return best;
    }
    static bool goes_before(const Slot& a, const Slot& b) {
        return a.priority != b.priority ? a.priority > b.priority : a.turn < b.turn;
    }
    bool idle() const {
        if (current_ || telling_) return false;
        for (const auto& [client, slot] : slots_)
            if (slot.waiting) return false;
        return true;
    }
    void preempt_if_needed() {
        if (!current_ || current_->stop) return;
        Slot& own = slots_[current_->client];
        for (const auto& [client, slot] : slots_) {
            if (!slot.waiting || slot.running == Overtaken::finishes || slot.priority <= own.priority) continue;
            current_->stop = true;
            if (own.waiting) return;
            own.waiting = current_->request;
            own.turn = current_->turn;
            return;
        }
    }
    Current& current() {
        if (current_->stop) throw Cancelled();
        return *current_;
    }

    // Called by the run.
    std::shared_ptr<const Result> result_of_current() const {
        const std::lock_guard lock(mutex_);
        const auto slot = slots_.find(current_->client);
        return slot == slots_.end() ? nullptr : slot->second.result;
    }
    std::vector<std::shared_ptr<const Result>> results() const {
        const std::lock_guard lock(mutex_);
        std::vector<std::shared_ptr<const Result>> all;
        for (const auto& [client, slot] : slots_)
            if (slot.result) all.insert(client == current_->client ? all.begin() : all.end(), slot.result);
        return all;
    }
    void enter(int stage) {
        {
            const std::lock_guard lock(mutex_);
            current().stage = stage;
            current_->fraction = 0;
        }
        tell();
    }
    void report_progress(double fraction) {
        const std::lock_guard lock(mutex_);
        current().fraction = fraction;
    }
    void publish(std::shared_ptr<const Result> result) {
        {
            const std::lock_guard lock(mutex_);
            std::swap(slots_[current().client].result, result);
        }
        tell();
    }
    void tell() const {
        if (on_change_) on_change_();
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return quit_ || next() != slots_.end(); });
            if (quit_) return;
            take_up();
            lock.unlock();
            std::shared_ptr<const Failure> failure = carry_out();
            lock.lock();
            if (!current_->stop) slots_[current_->client].failure = std::move(failure);
            current_.reset();
            telling_ = true;
            lock.unlock();
            try {
                tell();
            } catch (...) {
                // New results are seen in the next frame.
            }
            lock.lock();
            telling_ = false;
            changed_.notify_all();
        }
    }
    void take_up() {
        const auto turn = next();
        Slot& slot = turn->second;
        current_ = Current{turn->first, std::exchange(slot.waiting, nullptr), slot.turn, Clock::now()};
    }
    std::shared_ptr<const Failure> carry_out() {
        try {
            Run run(*this, current_->request);
            work_(run);
        } catch (const Cancelled&) {
            // Overtaken or cancelled.
        } catch (...) {
            std::string sentence = sentence_of_failure();
            if constexpr (std::is_same_v<Failure, std::string>)
                return std::make_shared<const Failure>(std::move(sentence));
            else
                return std::make_shared<const Failure>(Failure{*current_->request, std::move(sentence)});
        }
        return nullptr;
    }

    Work work_;
    std::function<void()> on_change_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    Slots slots_;
    std::optional<Current> current_;
    std::uint64_t turns_ = 0;
    bool telling_ = false;  // notifying that a run has ended
    bool quit_ = false;
    std::thread thread_;  // declared last: it uses all of the above
};

}  // namespace vitrine
