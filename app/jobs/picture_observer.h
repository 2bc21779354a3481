#pragma once

#include <string>
#include <vector>

#include "app/jobs/live_run.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// Looks at runs of pictures with the same examples. Of more than two it keeps the curves alone, and tries them on
/// unseen pictures; so it does where a run's pictures run out.
template <>
class Observer<Pictures> {
public:
    struct Denormals {};                              // stay as they are
    static constexpr std::size_t most_moments = 120;  // to scrub through
    static constexpr double share_of_step(int batch) { return picture_share(batch); }

    Observer() = default;
    Observer(const std::vector<Recipe>& recipes, const std::string&);

    bool shows_models() const { return shows_models_; }
    void begin(LiveRun<Pictures>& run, std::size_t place) const;
    /// After a step of a run: where that is due.
    void measure(LiveRun<Pictures>& run, std::size_t, double) const;
    /// A run that stands still: whether it was measured.
    bool measure_at_rest(LiveRun<Pictures>&, std::size_t) const { return false; }
    /// Seconds between two looks; each costs some batches.
    double rest(const LiveRun<Pictures>&) const { return 0.2; }
    std::shared_ptr<const RunMoment<Pictures>> moment_of(const LiveRun<Pictures>& run, std::size_t) const;

private:
    bool shows_models_ = true;
};

}  // namespace vitrine
