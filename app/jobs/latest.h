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
#include "core/base/sentence.h"

// What a job is, and what nearly every one is made of.

namespace vitrine {

/// Work beside the window, on a thread of its own: what the registry of jobs asks of each.
class Job {
public:
    virtual ~Job() = default;

    /// A workspace is closed: nothing more is done for it, nothing of it is kept. Of a job that serves no workspaces
    /// nothing.
    virtual void forget(int /*workspace*/) {}
    /// Whether anything is requested and not done.
    virtual bool busy() const = 0;
    /// Waits until nothing is (commands and tests).
    virtual void wait() const = 0;
};

/// What becomes of a run when something newer or more urgent is asked for.
enum class Overtaken { stops, finishes };

/// How something is asked for.
struct Asking {
    int priority = 0;  // the highest is carried out first; among equals, what has waited longest
    Overtaken running = Overtaken::stops;
};

/// One thread that carries out what several clients ask for: of each client the newest request wins and the newest
/// result stays.
///
/// A run that is overtaken stops at its next report; one of a less urgent client then waits and begins anew. A stream
/// of requests that is faster than a run asks with `Overtaken::finishes`, or no run would ever end. Whatever a run
/// throws becomes a sentence, and the thread lives on. Clients are numbers given out by whoever asks.
///
/// `Failure` is a sentence, or made of the request and the sentence. Requests are compared by ==.
template <class Request, class Result, class Failure = std::string>
class Latest : public Job {
public:
    /// What the work knows of its job; valid while it runs. What returns nothing throws Cancelled once the run is
    /// overtaken.
    class Run {
    public:
        explicit Run(Latest& job, std::shared_ptr<const Request> request) : job_(job), request_(std::move(request)) {}

        const Request& request() const { return *request_; }
        /// What this client has, null before its first result.
        std::shared_ptr<const Result> before() const { return job_.result_of_current(); }
        /// What all clients have, this one's first.
        std::vector<std::shared_ptr<const Result>> results() const { return job_.results(); }

        /// The work has come to another of its stages, which are its own numbers from 1 on.
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

    /// `work` is called on the job's thread, once for each request that is taken up. `on_change` is called there, too,
    /// whenever `latest` would tell something new.
    explicit Latest(Work work, std::function<void()> on_change = {}, ThreadPriority priority = ThreadPriority::normal)
        : work_(std::move(work)),
          on_change_(std::move(on_change)),
          thread_(start_thread(priority, [this] { serve(); })) {}

    /// Stops what runs; waits no longer than until its next report.
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

    /// Asks; what the client asked for last is not asked for again, only its priority is taken.
    void request(int client, const Request& request, Asking asking = {}) {
        {
            const std::lock_guard lock(mutex_);
            Slot& slot = slots_[client];
            // Once a frame nothing new: nobody is woken for that.
            if (slot.asked && slot.priority == asking.priority && *slot.asked == request) return;
            slot.priority = asking.priority;
            if (!slot.asked || !(*slot.asked == request)) {
                slot.asked = std::make_shared<const Request>(request);
                if (!slot.waiting) slot.turn = ++turns_;
                slot.waiting = slot.asked;
                slot.running = asking.running;
                if (runs(client) && asking.running == Overtaken::stops) current_->stop = true;
            }
            let_the_urgent_overtake();
        }
        changed_.notify_all();
    }

    /// A client has this result, as if the request had been carried out.
    void give(int client, const Request& request, std::shared_ptr<const Result> result) {
        const std::lock_guard lock(mutex_);
        Slot& slot = slots_[client];
        slot.asked = std::make_shared<const Request>(request);
        slot.result = std::move(result);
    }

    /// Stops what a client waits for; what it has stays, and the same is not begun anew.
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
    /// The same, as if `asked` had been asked for and were done; null: whatever comes next is taken.
    void cancel(int client, std::shared_ptr<const Request> asked) {
        cancel(client);
        const std::lock_guard lock(mutex_);
        if (const auto slot = slots_.find(client); slot != slots_.end()) slot->second.asked = std::move(asked);
    }

    /// Stops what a client waits for and lets go of all that it has.
    void forget(int client) override {
        typename Slots::node_type gone;  // its memory is given back while nobody waits for the mutex
        {
            const std::lock_guard lock(mutex_);
            if (runs(client)) current_->stop = true;
            gone = slots_.extract(client);
        }
        changed_.notify_all();
    }

    struct State {
        std::shared_ptr<const Result> result;    // the newest; none before the first
        std::shared_ptr<const Failure> failure;  // why the last run ended without one
        bool running = false;                    // asked for and not done
        int stage = 0;                           // of the run; 0 while it waits for its turn
        double fraction = 0, seconds = 0;        // of the stage; since it was taken up
    };
    /// Where the threads meet; once per frame.
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

    /// The failure of a client, once; an empty one where there is none.
    Failure take_failure(int client) {
        const std::lock_guard lock(mutex_);
        const auto slot = slots_.find(client);
        const auto failure = slot == slots_.end() ? nullptr : std::exchange(slot->second.failure, nullptr);
        return failure ? *failure : Failure();
    }

    /// Whether anything is asked for and not done.
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
        std::shared_ptr<const Request> asked;    // the newest, also after it is done
        std::shared_ptr<const Request> waiting;  // not taken up, or to be begun anew
        Overtaken running = Overtaken::stops;    // what becomes of the run that `waiting` overtakes
        int priority = 0;
        std::uint64_t turn = 0;  // the place among those that wait
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

    // With the mutex held.
    bool runs(int client) const { return current_ && !current_->stop && current_->client == client; }
    /// Whose turn it is; the end where nobody waits.
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
    void let_the_urgent_overtake() {
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

    // For the run.
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
                // What is new is seen with the next frame that comes.
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
            // Something newer is wanted, or nothing.
        } catch (...) {
            std::string sentence = sentence_of(std::current_exception());
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
    bool telling_ = false;  // that a run has ended
    bool quit_ = false;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace vitrine
