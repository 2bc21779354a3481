#pragma once

#include <string>
#include <vector>

#include "app/jobs/live_run.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// Looks at runs of pictures with the same examples. With more than two runs it keeps only curves and tests on unseen
/// pictures; it also does so if a run's pictures are finite.
template <>
class Observer<Pictures> {
public:
    struct Denormals {};                              // not flushed
    static constexpr std::size_t most_moments = 120;  // to scrub through
    static constexpr double share_of_step(int batch) { return picture_share(batch); }
    using Inside = std::vector<BlockFlow>;  // gradients of the last step, which a trainer does not keep

    Observer() = default;
    Observer(const std::vector<Recipe>& recipes, const std::string&);

    bool shows_models() const { return shows_models_; }
    void begin(LiveRun<Pictures>& run, std::size_t place) const;
    /// Measures a run after a step, if due.
    void measure(LiveRun<Pictures>& run, std::size_t, double) const;
    /// Measures a stopped run; true if it did.
    bool measure_at_rest(LiveRun<Pictures>&, std::size_t) const { return false; }
    /// Seconds between two looks; each costs some batches.
    double rest(const LiveRun<Pictures>&) const { return 0.2; }
    std::shared_ptr<const RunMoment<Pictures>> moment_of(const LiveRun<Pictures>& run, std::size_t) const;
    /// The part of a checkpoint beside weights and curve with which a restored run looks the same.
    static Inside inside_of(const LiveRun<Pictures>& run);

private:
    bool shows_models_ = true;
};

}  // namespace vitrine
