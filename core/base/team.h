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

/// How many threads the work of the calling thread may take: all processors until it is set, one inside a team.
int thread_count();
void set_thread_count(int threads);

/// Another thread_count() to the end of the scope.
class ThreadCount {
public:
    explicit ThreadCount(int threads) : before_(thread_count()) { set_thread_count(threads); }
    ~ThreadCount() { set_thread_count(before_); }
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    int before_;
};

/// How many threads a kernel should use whose work takes one core `microseconds`: handing a share over costs some.
int threads_for(double microseconds);

/// [first, last)
struct Share {
    std::size_t first, last;
};

/// The part of `count` things in a row that falls to one of `members`: they differ by one thing at most.
constexpr Share share_of(std::size_t count, int member, int members) {
    const auto m = static_cast<std::size_t>(member), all = static_cast<std::size_t>(members);
    return {count * m / all, count * (m + 1) / all};
}

/// Threads that do the same thing together, each on its share, again and again; the caller is one of them. What is
/// parallel inside a member runs on that member's thread alone.
///
/// Who waits watches for some tens of microseconds, then sleeps: a team at rest uses no processor.
class Team {
public:
    /// A reference to a callable of a member's number.
    class Work {
    public:
        template <class F>
        Work(const F& f) : what_(&f), call_([](const void* what, int m) { (*static_cast<const F*>(what))(m); }) {}
        void operator()(int member) const { call_(what_, member); }

    private:
        const void* what_;
        void (*call_)(const void*, int);
    };

    /// `niceness` is what Linux adds to the members' own, so that a window stays quick.
    explicit Team(int members, int niceness = 0);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const { return static_cast<int>(helpers_.size()) + 1; }

    /// work(member) for members 0 … size − 1 at once; returns when all are done. Throws what the first member threw
    /// that failed; the others stop where they meet next.
    void run(Work work) { run(size(), work); }

    /// The same with the first `members` only; the others sleep on.
    void run(int members, Work work);

    /// Inside `run`: waits until every member has come here.
    void meet();

private:
    struct Left {};  // thrown where a member meets a team that one has left
    using Count = std::atomic<std::uint32_t>;

    /// A thread beside the caller's. Each listens at a place of its own, so that nobody wakes in vain.
    struct alignas(64) Helper {
        Count called = 0;  // how often it was asked to take part
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
    bool watch_ = false;         // whether there are processors to wait on
    bool over_ = false;
    alignas(64) Count working_ = 0;     // helpers that are not done yet
    alignas(64) Count missing_ = 0;     // members that have not come to this meeting
    Count meetings_ = 0;                // that are over
    std::atomic<bool> failed_ = false;  // in this run
    std::mutex mutex_;
    std::exception_ptr failure_;
};

/// work(member) for members 0 … members − 1: on the calling thread's own team, which lives as long as the thread; one
/// after another inside a member of any team.
void parallel(int members, Team::Work work);

/// work(first, last) for shares of 0 … count − 1.
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

/// work(i) for 0 … count − 1, on as many threads as there are unless `members` says how many.
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
