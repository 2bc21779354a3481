#pragma once

#include <string>
#include <vector>

#include "app/jobs/live_run.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// Makes the moments of runs of pictures, with the same example pictures. Of more than two runs, it keeps only curves
/// and tests them on unseen pictures; it also tests a run whose training pictures are finite.
template <>
class Observer<Pictures> {
public:
    struct Denormals {};                              // denormal numbers are not flushed to 0
    static constexpr std::size_t most_moments = 120;  // to scrub through
    static constexpr double share_of_step(int batch) { return picture_share(batch); }
    using Inside = std::vector<BlockFlow>;  // gradients of the last step, which a trainer does not keep

    Observer() = default;
    Observer(const std::vector<Recipe>& recipes, const std::string&);

    bool shows_models() const { return shows_models_; }
    void begin(LiveRun<Pictures>& run, std::size_t place) const;
    /// Measures a run's accuracy after a step, if due.
    void measure(LiveRun<Pictures>& run, std::size_t, double) const;
    /// True if it measured a stopped run; runs of pictures need no such measurement.
    bool measure_at_rest(LiveRun<Pictures>&, std::size_t) const { return false; }
    /// Seconds between two moments; making one takes as long as some batches.
    double rest(const LiveRun<Pictures>&) const { return 0.2; }
    std::shared_ptr<const RunMoment<Pictures>> moment_of(const LiveRun<Pictures>& run, std::size_t) const;
    /// The part of a checkpoint, beside weights and curve, that a restored run needs to look the same.
    static Inside inside_of(const LiveRun<Pictures>& run);

private:
    bool shows_models_ = true;
};

}  // namespace vitrine
