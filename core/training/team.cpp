#include "core/training/team.h"

#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

namespace vitrine {

Team::Team(int members, int niceness) : begin_(members), together_(members) {
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
    work(0);
    together_.arrive_and_wait();
    omp_set_num_threads(threads);
}

void Team::serve(int member, int niceness) {
    if (niceness != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);  // Linux: of this thread only
    omp_set_num_threads(1);
    for (;;) {
        begin_.arrive_and_wait();
        if (over_) return;
        (*work_)(member);
        together_.arrive_and_wait();
    }
}

}  // namespace vitrine
