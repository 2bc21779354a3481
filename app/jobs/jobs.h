#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "app/jobs/latest.h"
#include "core/training/families.h"

namespace vitrine {

template <class Family>
class Learning;

/// The registry of all jobs: at most one of each type, created on first use.
class Jobs {
public:
    /// `wake` is called from the jobs' threads when there is something new to draw; every job receives it.
    explicit Jobs(std::function<void()> wake) : wake_(std::move(wake)) {}

    template <std::derived_from<Job> J>
    J& of() {
        if (J* const there = find_in<J>(jobs_)) return *there;
        auto made = std::make_unique<J>(wake_);
        J& job = *made;
        jobs_.push_back(std::move(made));
        return job;
    }
    /// The job of this type; null before its first use.
    template <std::derived_from<Job> J>
    const J* find() const {
        return find_in<J>(jobs_);
    }
    template <std::derived_from<Job> J>
    bool has() const {
        return find<J>() != nullptr;
    }

    // The training jobs. Code that uses them includes app/jobs/learning.h; this header does not, since it reaches too
    // many sources.
    Learning<Pictures>& learning();
    Learning<Texts>& text_learning();
    bool has_learning() const;
    bool has_text_learning() const;

    /// The client number of a workspace's exercise, which is a client of its own: the workspace's number, negated.
    static int exercise_of(int workspace) { return -workspace; }

    /// Drops all work and results of a closed workspace.
    void forget(int workspace) {
        for (const auto& job : jobs_)
            for (const int client : {workspace, exercise_of(workspace)}) job->forget(client);
    }
    bool busy() const {
        return std::ranges::any_of(jobs_, [](const auto& job) { return job->busy(); });
    }
    /// Waits until all requests are answered; for pictures and tests.
    void wait() const {
        for (const auto& job : jobs_) job->wait();
    }

private:
    using All = std::vector<std::unique_ptr<Job>>;

    template <class J>
    static J* find_in(const All& jobs) {
        for (const auto& job : jobs)
            if (J* const found = dynamic_cast<J*>(job.get())) return found;
        return nullptr;
    }

    std::function<void()> wake_;
    All jobs_;
};

}  // namespace vitrine
