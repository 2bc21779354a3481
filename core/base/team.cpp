#include "core/base/team.h"

#include <chrono>
#include <utility>

#include "core/base/machine.h"
#include "core/base/thread_priority.h"

namespace vitrine {

namespace {

// Waking a thread for its share takes 1 to 2 µs; reading its results from another core's cache takes longer.
constexpr double microseconds_worth_a_thread = 7;
constexpr std::chrono::microseconds spin_time(50);

thread_local int threads_of_this = 0;  // 0: not set

/// Hints to the processor that this thread waits for another one.
void cpu_relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
}

thread_local bool inside_a_team = false;
thread_local std::unique_ptr<Team> own_team;  // used by `parallel`

/// Marks the calling thread as a team's member until the end of the scope.
class Inside {
public:
    Inside() : before_(inside_a_team) { inside_a_team = true; }
    ~Inside() { inside_a_team = before_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    bool before_;
    ThreadCount alone_{1};
};

}  // namespace

int thread_count() { return threads_of_this > 0 ? threads_of_this : processor_count(); }

void set_thread_count(int threads) { threads_of_this = std::max(1, threads); }

int threads_for(double microseconds) {
    const int worth = static_cast<int>(std::min(microseconds / microseconds_worth_a_thread, 1024.0));
    return std::clamp(worth, 1, thread_count());
}

void parallel(int members, Team::Work work) {
    if (members <= 1 || inside_a_team) {
        for (int member = 0; member < members; ++member) work(member);
        return;
    }
    if (!own_team || own_team->size() < members) {
        own_team.reset();
        own_team = std::make_unique<Team>(std::max(members, thread_count()));
    }
    own_team->run(members, work);
}

Team::Team(int members, int niceness) : watch_(members <= processor_count()) {
    try {
        for (int member = 1; member < members; ++member) {
            Helper& helper = *helpers_.emplace_back(std::make_unique<Helper>());
            helper.thread = std::thread([this, &helper, member, niceness] { serve(helper, member, niceness); });
        }
    } catch (...) {
        dismiss();
        throw;
    }
}

Team::~Team() { dismiss(); }

void Team::dismiss() {
    over_ = true;
    for (const auto& helper : helpers_) {
        if (!helper->thread.joinable()) continue;
        call(*helper);
        helper->thread.join();
    }
}

void Team::call(Helper& helper) {
    ++helper.called;
    helper.called.notify_one();
}

/// Returns once `count` differs from `from`: spins for 50 µs if there are enough processors, then sleeps.
void Team::await_change(const Count& count, std::uint32_t from) const {
    constexpr int spins = 16;  // between two reads of the clock
    if (watch_) {
        const auto until = std::chrono::steady_clock::now() + spin_time;
        do
            for (int i = 0; i < spins; ++i) {
                if (count.load(std::memory_order_acquire) != from) return;
                cpu_relax();
            }
        while (std::chrono::steady_clock::now() < until);
    }
    count.wait(from);
}

void Team::run(int members, Work work) {
    const Inside inside;
    work_ = &work;
    members_ = static_cast<std::uint32_t>(members);
    missing_ = members_;
    working_ = members_ - 1;
    for (std::uint32_t i = 0; i + 1 < members_; ++i) call(*helpers_[i]);
    take_part(0);
    for (std::uint32_t left = working_; left != 0; left = working_) await_change(working_, left);
    if (!failed_.exchange(false)) return;
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::meet() {
    const std::uint32_t meeting = meetings_;
    if (failed_) throw Left();
    if (--missing_ == 0) {
        missing_ = members_;
        ++meetings_;
        meetings_.notify_all();
    } else {
        await_change(meetings_, meeting);
    }
    if (failed_) throw Left();
}

/// Runs a member's share. If it throws, members that wait at a barrier are released, and later barriers of the run
/// throw `Left`.
void Team::take_part(int member) {
    try {
        (*work_)(member);
    } catch (const Left&) {
    } catch (...) {
        {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
        failed_ = true;
        ++meetings_;
        meetings_.notify_all();
    }
}

void Team::serve(Helper& helper, int member, int niceness) {
    if (niceness > 0) lower_priority(niceness);  // 0: the process's own niceness stays
    inside_a_team = true;
    set_thread_count(1);
    for (std::uint32_t seen = 0;; ++seen) {
        await_change(helper.called, seen);
        if (over_) return;
        take_part(member);
        if (--working_ == 0) working_.notify_one();
    }
}

}  // namespace vitrine
