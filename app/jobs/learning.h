#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs/latest.h"
#include "app/jobs/runs_aside.h"
#include "app/workspace/learning_run.h"
#include "app/workspace/text_learning_run.h"

namespace vitrine {

/// What the job of a family's learning models is asked for.
template <class Family>
struct LearningRequest {
    enum class Wish { pause, run, one_step, go_on };
    using Recipes = std::shared_ptr<const std::vector<typename Family::Recipe>>;
    Recipes recipes;             // another pointer: other runs, from nothing
    std::vector<Recipes> aside;  // of runs that are kept as they stand while others learn, the newest last
    std::string typed;           // of texts: one of the user's own that the runs are looked at with
    double pace = 0;             // steps a second at most; 0: as fast as possible
    bool timed = false;          // runs that wait to begin are timed aside
    Wish wish = Wish::pause;
    std::uint64_t number = 0;  // counts, so that each request is a new one

    bool operator==(const LearningRequest&) const = default;
};

/// The job that trains models of a family, at low priority and with one core fewer than there are, turn by turn, so
/// that all runs have seen equally many examples; slowly where that is asked for, so that one can follow. Of more than
/// two runs of pictures it keeps the curves alone.
template <class Family>
class Learning : public Job {
public:
    using Recipes = std::vector<typename Family::Recipe>;
    using Views = RunViews<Family>;
    /// Saved sets of runs that are kept while others learn; every moment of texts has its model.
    static constexpr std::size_t most_aside = std::same_as<Family, Texts> ? 4 : 8;

    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Learning(std::function<void()> on_change = {});
    ~Learning() override;

    /// The runs to be, from nothing; what ran before is gone, unless it was put aside.
    void set(const Recipes& recipes);
    /// Keeps the runs that are there, where they have begun, while others, which are set next, learn in their place;
    /// `unsaved`: those of them that are nowhere else.
    void put_aside(Views unsaved = {});
    /// Of all that are kept so, the runs that would be lost with the program, as they stand.
    Views unsaved_aside() const { return aside_.unsaved(); }
    /// One of those is in a file by now, as it was at this moment.
    void keep_saved(const std::shared_ptr<const RunMoment<Family>>& moment) { aside_.keep_saved(moment); }
    /// The runs that were put aside continue in their place; false where those of such recipes are not kept.
    bool bring_back(const Recipes& recipes);
    void start() { ask(Wish::run); }
    void pause() { ask(Wish::pause); }
    /// Runs that are over learn once more as long as they did at first; the learning rate rises and falls once more.
    void go_on() { ask(Wish::go_on); }
    /// One batch of each run, then a pause.
    void step() { ask(Wish::one_step); }
    /// Whether runs of a promised number of examples are timed aside while they wait to begin: where it is shown how
    /// long they will take. Nothing where it is so already.
    void time_aside(bool timed);
    /// What texts are looked at with, and how fast they learn; the runs stay. Nothing where both are so already.
    void look_at(const std::string& typed, double pace) requires std::same_as<Family, Texts>;

    /// The one place where the threads meet; once per frame. None while those that were asked for are being prepared.
    Views latest() const;
    /// Why the runs could not go on, once; empty where they could.
    std::string take_failure();
    /// Whether the runs learn until they are over or paused; a single step and runs that are being prepared do not
    /// count.
    bool running() const;
    /// Whether there are runs to be.
    bool has_runs() const { return asked_.recipes != nullptr; }
    /// Whose runs they are: another pointer, other runs.
    typename LearningRequest<Family>::Recipes recipes() const { return asked_.recipes; }
    /// Waits until all that was asked for is done (tests); a run that is going on is not waited for.
    void wait() const override;
    bool busy() const override { return !until_over() && job_.busy(); }

private:
    using Wish = typename LearningRequest<Family>::Wish;
    /// Runs as they were last looked at, and whose recipes they are of.
    struct Shown {
        typename LearningRequest<Family>::Recipes recipes;
        Views runs;
    };
    using Job = Latest<LearningRequest<Family>, Shown>;
    class Runs;
    void ask(Wish wish);
    bool until_over() const { return asked_.wish == Wish::run || asked_.wish == Wish::go_on; }

    LearningRequest<Family> asked_;  // the newest
    RunsAside<Family> aside_{most_aside};
    std::unique_ptr<Runs> runs_;  // the thread's own
    Job job_;                     // last: its thread uses all of the above
};

extern template class Learning<Pictures>;
extern template class Learning<Texts>;

}  // namespace vitrine
