#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/latest.h"
#include "app/jobs/paused_runs.h"
#include "app/workspace/learning_run.h"
#include "app/workspace/text_learning_run.h"

namespace vitrine {

/// A request to the training job of a family.
template <class Family>
struct LearningRequest {
    enum class Wish { pause, run, one_step, go_on };
    using Recipes = std::shared_ptr<const std::vector<typename Family::Recipe>>;
    Recipes recipes;                       // a new pointer means new runs from scratch
    std::vector<RunCheckpoint> continued;  // checkpoints of these runs; null or missing: none
    std::vector<Recipes> aside;            // recipes of runs kept aside, newest last
    std::string typed;                     // for texts: the user's text to show to the runs
    double pace = 0;                       // most steps per second; 0: unlimited
    bool timed = false;                    // estimate the speed of runs that have not started
    Wish wish = Wish::pause;
    std::uint64_t number = 0;  // counter that makes each request unique

    bool operator==(const LearningRequest&) const = default;
};

/// The training job of a family, at low priority and with all cores but one. Runs take turns, so that all have seen the
/// same number of examples; on request they are slowed down for viewers to follow. Of more than two runs of pictures,
/// only the curves are kept.
template <class Family>
class Learning : public Job {
public:
    using Recipes = std::vector<typename Family::Recipe>;
    using Views = RunViews<Family>;
    /// Most sets of runs kept aside, unless more are unsaved; fewer of texts, all of whose moments have their models.
    static constexpr std::size_t most_aside = std::same_as<Family, Texts> ? 4 : 8;

    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Learning(std::function<void()> on_change = {});
    ~Learning() override;

    /// Sets the runs to train, from scratch or from their checkpoints; drops the previous runs, unless they were put
    /// aside. A null checkpoint means from scratch, as does one that cannot be read, which `take_failure` reports.
    void set(const Recipes& recipes, std::vector<RunCheckpoint> checkpoints = {});
    /// Keeps the runs, if any has begun, while others, set next, are trained; `unsaved`: those of them not saved yet.
    void put_aside(Views unsaved = {});
    /// The unsaved runs among those kept aside.
    Views unsaved_aside() const { return aside_.unsaved(); }
    /// Marks the run kept aside that ends with this moment as saved.
    void keep_saved(const std::shared_ptr<const RunMoment<Family>>& moment) { aside_.keep_saved(moment); }
    /// Continues runs that were put aside; false if none with these recipes are kept.
    bool bring_back(const Recipes& recipes);
    void start() { ask(Wish::run); }
    void pause() { ask(Wish::pause); }
    /// Extends finished runs by their original length; the learning rate starts its schedule again.
    void go_on() { ask(Wish::go_on); }
    /// Trains each run on one batch, then pauses.
    void step() { ask(Wish::one_step); }
    /// Turns the speed estimate for runs of a fixed length that have not started on or off, for displaying their
    /// duration. Does nothing if unchanged.
    void time_aside(bool timed);
    /// Sets the text shown to the runs and their pace; the runs continue. Does nothing if unchanged.
    void look_at(const std::string& typed, double pace) requires std::same_as<Family, Texts>;

    /// The newest views of the runs; empty while they are prepared. The only exchange between threads, once per frame.
    Views latest() const;
    /// The newest checkpoint of each run, null if it has none; while runs are prepared, the ones that they continue.
    std::vector<RunCheckpoint> checkpoints() const;
    /// The reason why the runs stopped or could not be continued, returned once; empty if there is none.
    std::string take_failure();
    /// True if the runs train until they are finished or paused; not for a single step, or while runs are prepared.
    bool running() const;
    /// True if runs have been set.
    bool has_runs() const { return asked_.recipes != nullptr; }
    /// The recipes of the runs; a new pointer means new runs.
    typename LearningRequest<Family>::Recipes recipes() const { return asked_.recipes; }
    /// Waits until all requests are handled (tests), but not for a run in progress.
    void wait() const override;
    bool busy() const override { return !until_over() && job_.busy(); }

private:
    using Wish = typename LearningRequest<Family>::Wish;
    /// The latest views of the runs, with their recipes.
    struct Shown {
        typename LearningRequest<Family>::Recipes recipes;
        Views runs;
        std::string failure;  // why a run starts from scratch instead of its checkpoint
    };
    using Job = Latest<LearningRequest<Family>, Shown>;
    class Runs;
    void ask(Wish wish);
    bool until_over() const { return asked_.wish == Wish::run || asked_.wish == Wish::go_on; }

    LearningRequest<Family> asked_;                          // newest request
    typename LearningRequest<Family>::Recipes failed_told_;  // runs whose failed checkpoint has been reported
    PausedRuns<Family> aside_{most_aside};
    std::unique_ptr<Runs> runs_;  // used only by the thread
    Job job_;                     // declared last: its thread uses all of the above
};

extern template class Learning<Pictures>;
extern template class Learning<Texts>;

}  // namespace vitrine
