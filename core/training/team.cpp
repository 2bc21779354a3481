#include "core/training/team.h"

#include <omp.h>

#include <utility>

#include "core/base/thread_priority.h"

namespace vitrine {

Team::Team(int members, int niceness) : begin_(members), end_(members) {
    meeting_.emplace(members);
    for (int member = 1; member < members; ++member)
        threads_.emplace_back([this, member, niceness] { serve(member, niceness); });
}

Team::~Team() {
    over_ = true;
    begin_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
}

void Team::run(const std::function<void(int)>& work) {
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    work_ = &work;
    begin_.arrive_and_wait();
    take_part(0);
    omp_set_num_threads(threads);
    if (!failed_) return;
    meeting_.emplace(size());
    failed_ = false;
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Team::meet() {
    meeting_->arrive_and_wait();
    if (failed_) throw Left();
}

/// A member's share of a run, and the wait for the others.
void Team::take_part(int member) {
    try {
        (*work_)(member);
    } catch (const Left&) {
        meeting_->arrive_and_drop();
    } catch (...) {
        {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
        failed_ = true;
        meeting_->arrive_and_drop();
    }
    end_.arrive_and_wait();
}

void Team::serve(int member, int niceness) {
    lower_priority(niceness);
    omp_set_num_threads(1);
    for (;;) {
        begin_.arrive_and_wait();
        if (over_) return;
        take_part(member);
    }
}

}  // namespace vitrine
