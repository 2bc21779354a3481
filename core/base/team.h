#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace vitrine {

/// The number of threads available to the calling thread: all processors until it is set, one inside a team.
int thread_count();
void set_thread_count(int threads);

/// Sets thread_count() until the end of the scope.
class ThreadCount {
public:
    explicit ThreadCount(int threads) : before_(thread_count()) { set_thread_count(threads); }
    ~ThreadCount() { set_thread_count(before_); }
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    int before_;
};

/// The number of threads worth using for a kernel that takes `microseconds` on one core, given the cost of each thread.
int threads_for(double microseconds);

/// A range of items, [first, last).
struct Share {
    std::size_t first, last;
};

/// One member's share of `count` consecutive items; shares differ by at most one item.
constexpr Share share_of(std::size_t count, int member, int members) {
    const auto m = static_cast<std::size_t>(member), all = static_cast<std::size_t>(members);
    return {count * m / all, count * (m + 1) / all};
}

/// Threads that repeatedly run the same function, each on its own share; the calling thread is one of them. Parallel
/// code inside a member runs on that member's thread alone.
/// Waiting threads spin for 50 µs (if there are enough processors), then sleep: an idle team uses no processor time.
class Team {
public:
    /// A reference to a callable that takes a member's number.
    class Work {
    public:
        template <class F>
        Work(const F& f) : what_(&f), call_([](const void* what, int m) { (*static_cast<const F*>(what))(m); }) {}
        void operator()(int member) const { call_(what_, member); }

    private:
        const void* what_;
        void (*call_)(const void*, int);
    };

    /// `niceness`: least niceness of the team's own threads (Linux; 0: unchanged), so that a window stays responsive.
    explicit Team(int members, int niceness = 0);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const { return static_cast<int>(helpers_.size()) + 1; }

    /// Runs work(member) for members 0 … size − 1 in parallel and returns when all are done. If members throw, the
    /// first exception is rethrown here, and the others stop at their next barrier.
    void run(Work work) { run(size(), work); }

    /// The same with only the first `members`; the others stay asleep.
    void run(int members, Work work);

    /// A barrier, inside `run`: waits for all members.
    void meet();

private:
    struct Left {};  // thrown at a barrier after a member has failed
    using Count = std::atomic<std::uint32_t>;

    /// A thread beside the caller's. Each waits on its own variable, so that none wakes without work.
    struct alignas(64) Helper {
        Count called = 0;  // runs so far; a change wakes the thread
        std::thread thread;
    };

    void serve(Helper& helper, int member, int niceness);
    void take_part(int member);
    void dismiss();
    void call(Helper& helper);
    void await_change(const Count& count, std::uint32_t from) const;

    std::vector<std::unique_ptr<Helper>> helpers_;
    const Work* work_ = nullptr;
    std::uint32_t members_ = 1;  // of this run
    bool watch_ = false;         // true if there are enough processors to spin while waiting
    bool over_ = false;
    alignas(64) Count working_ = 0;     // helpers still working
    alignas(64) Count missing_ = 0;     // members not yet at this barrier
    Count meetings_ = 0;                // barriers passed
    std::atomic<bool> failed_ = false;  // in this run
    std::mutex mutex_;
    std::exception_ptr failure_;
};

/// Runs work(member) for members 0 … members − 1 in parallel on the calling thread's own team, which lives as long as
/// the thread; inside a member of any team, runs them one after another.
void parallel(int members, Team::Work work);

/// Runs work(first, last) in parallel on shares of 0 … count − 1.
template <class F>
void parallel_shares(std::size_t count, int members, const F& work) {
    members = static_cast<int>(std::min(count, static_cast<std::size_t>(std::max(members, 1))));
    if (members <= 1) {
        if (count > 0) work(std::size_t{0}, count);
        return;
    }
    parallel(members, [&](int member) {
        const Share share = share_of(count, member, members);
        work(share.first, share.last);
    });
}

/// Runs work(i) for 0 … count − 1 in parallel, on `members` threads or on all.
template <class F>
void parallel_for(std::size_t count, int members, const F& work) {
    parallel_shares(count, members, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) work(i);
    });
}
template <class F>
void parallel_for(std::size_t count, const F& work) {
    parallel_for(count, thread_count(), work);
}

}  // namespace vitrine
