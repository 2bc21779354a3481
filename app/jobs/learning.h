#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs/latest.h"
#include "app/jobs/learning_examples.h"
#include "app/jobs/runs_aside.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// What the learning job is asked for.
struct LearningRequest {
    enum class Wish { pause, run, one_step, go_on };
    using Recipes = std::shared_ptr<const std::vector<Recipe>>;
    Recipes recipes;             // another pointer: other runs, from nothing
    std::vector<Recipes> aside;  // of runs that are kept as they stand while others learn, the newest last
    bool timed = false;          // runs that wait to begin are timed aside
    Wish wish = Wish::pause;
    std::uint64_t number = 0;  // counts, so that each request is a new one

    bool operator==(const LearningRequest&) const = default;
};

/// The job that trains models, at low priority and with one core fewer than there are, turn by turn, so that all runs
/// have seen equally many pictures. Of more than two it keeps the curves alone.
class Learning : public Job {
public:
    static constexpr std::size_t most_shown = 2;  // with their models
    static constexpr std::size_t most_aside = 8;  // saved sets of runs that are kept while others learn

    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Learning(std::function<void()> on_change = {});
    ~Learning() override;

    /// The runs to be, from nothing; what ran before is gone, unless it was put aside.
    void set(const std::vector<Recipe>& recipes);
    /// Keeps the runs that are there, where they have begun, while others, which are set next, learn in their place;
    /// `unsaved`: those of them that are nowhere else.
    void put_aside(std::vector<RunView> unsaved = {});
    /// Of all that are kept so, the runs that would be lost with the program, as they stand.
    std::vector<RunView> unsaved_aside() const;
    /// One of those is in a file by now, as it was at this moment.
    void keep_saved(const std::shared_ptr<const LearningMoment>& moment) { aside_.keep_saved(moment); }
    /// The runs that were put aside go on in their place; false where those of such recipes are not kept.
    bool bring_back(const std::vector<Recipe>& recipes);
    void start();
    void pause();
    /// Runs that are over learn once more as long as they did at first; the learning rate rises and falls once more.
    void go_on();
    /// One batch of each run, then a pause.
    void step();
    /// Whether runs of a promised number of pictures are timed aside while they wait to begin: where it is shown how
    /// long they will take. Nothing where it is so already.
    void time_aside(bool timed);

    /// The one place where the threads meet; once per frame. None while those that were asked for are being prepared.
    std::vector<RunView> latest() const;
    /// Why the runs could not go on, once; empty where they could.
    std::string take_failure();
    /// Whether the runs learn until they are over or paused; a single step and runs that are being prepared do not
    /// count.
    bool running() const;
    /// Whether there are runs to be.
    bool has_runs() const { return asked_.recipes != nullptr; }
    /// Whose runs they are: another pointer, other runs.
    LearningRequest::Recipes recipes() const { return asked_.recipes; }
    /// Waits until all that was asked for is done (tests); a run that is going on is not waited for.
    void wait() const override;
    bool busy() const override { return !goes_on() && job_.busy(); }

    /// Those that runs of such scenes are looked at with.
    const std::vector<ExamplePicture>& example_pictures(Scenes scenes) const { return examples_of(pictures_, scenes); }

private:
    using Wish = LearningRequest::Wish;
    /// Runs as they were last looked at, and whose recipes they are of.
    struct Shown {
        LearningRequest::Recipes recipes;
        std::vector<RunView> runs;
    };
    using Job = Latest<LearningRequest, Shown>;
    class Runs;
    void ask(Wish wish);
    bool goes_on() const { return asked_.wish == Wish::run || asked_.wish == Wish::go_on; }

    LearningExamples pictures_;
    LearningRequest asked_;  // the newest
    RunsAside<Recipe, RunView> aside_{most_aside};
    std::unique_ptr<Runs> runs_;  // the thread's own
    Job job_;                     // last: its thread uses all of the above
};

}  // namespace vitrine
