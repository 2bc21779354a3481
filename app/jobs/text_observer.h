#pragma once

#include <string>
#include <vector>

#include "app/jobs/live_run.h"
#include "app/workspace/text_learning_run.h"
#include "core/base/denormals.h"

namespace vitrine {

/// Makes the moments of runs of texts, with the samples of their task and the typed text; measures held-out examples.
template <>
class Observer<Texts> {
public:
    using Denormals = FlushDenormals;
    static constexpr std::size_t most_moments = 80;             // to scrub through, each with its model
    static constexpr double share_of_step(int) { return 0.1; }  // smooths the loss over about ten steps
    using Inside = TalliedHead;                                 // the head that attends most to the deciding words

    Observer() = default;
    Observer(const std::vector<TextRecipe>& recipes, const std::string& typed);

    bool shows_models() const { return true; }
    void begin(LiveRun<Texts>&, std::size_t) const {}
    /// Measures a run after a step, if due; more often at a slow pace.
    void measure(LiveRun<Texts>& run, std::size_t, double pace);
    /// Measures a stopped run; true if it did.
    bool measure_at_rest(LiveRun<Texts>& run, std::size_t);
    /// Seconds between two moments.
    double rest(const LiveRun<Texts>& run) const;
    std::shared_ptr<const RunMoment<Texts>> moment_of(const LiveRun<Texts>& run, std::size_t) const;
    /// The part of a checkpoint beside weights and curve.
    static Inside inside_of(const LiveRun<Texts>& run) { return run.inside; }

    const std::string& typed() const { return typed_; }
    /// Takes a newly typed text. Until `has_read`, `typed` is neither the old nor the new one, so that the update is
    /// repeated if it is stopped.
    void read(const TextSet& set, const std::string& typed);
    void has_read(const std::string& typed) { typed_ = typed; }
    /// A moment evaluated again with the current typed text.
    std::shared_ptr<const RunMoment<Texts>> again(const RunMoment<Texts>& old) const;

private:
    void measure_now(LiveRun<Texts>& run, double pace);

    std::string typed_;
    std::vector<LookedText> texts_;
    std::size_t samples_ = 0;  // number of samples among them
};

}  // namespace vitrine
