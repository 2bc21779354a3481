#include "app/jobs/learning.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "app/jobs/picture_observer.h"
#include "app/jobs/run_checkpoint.h"
#include "app/jobs/text_observer.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/files/image.h"

namespace vitrine {

namespace {

/// Seconds per step: the mean of a few steps, without the first one, which initialises caches. `after_step` is called
/// after each.
double seconds_a_step(const std::function<void()>& step, const std::function<void()>& after_step) {
    constexpr double long_enough = 0.2;  // seconds
    constexpr int most_steps = 8;
    step();
    after_step();
    double seconds = 0;
    int steps = 0;
    for (; steps < most_steps && seconds < long_enough; ++steps) {
        const auto start = Clock::now();
        step();
        seconds += seconds_since(start);
        after_step();
    }
    return std::max(seconds, 1e-6) / steps;
}

constexpr double checkpoint_every = 30;             // seconds, while runs train
constexpr auto nap = std::chrono::milliseconds(4);  // interval for checking for new requests

/// Examples per second for this recipe, measured on a few steps of a discarded run; `after_step` is called after each.
template <class Recipe>
double timed_pace(const Recipe& recipe, const std::function<void()>& after_step) {
    Trainer aside(recipe, {training_thread_count(), low_niceness});
    return recipe.batch / seconds_a_step([&] { aside.step(0); }, after_step);
}

}  // namespace

/// The runs and their views; used only by the job's thread.
template <class Family>
class Learning<Family>::Runs {
public:
    void carry_out(typename Job::Run& job) {
        [[maybe_unused]] const typename Observer<Family>::Denormals denormals{};
        const LearningRequest<Family>& asked = job.request();
        if (asked.recipes != now_.recipes) begin(job);
        if constexpr (std::same_as<Family, Texts>)
            if (asked.typed != now_.observer.typed()) read(job);
        if (asked.wish == Wish::go_on)
            for (const auto& run : now_.runs) run->extend();
        for (const auto& run : now_.runs) run->begin_timing();
        if (asked.wish == Wish::run || asked.wish == Wish::go_on)
            while (advance(asked.pace)) wait_for_pace(job);
        else if (asked.wish == Wish::one_step)
            advance(slow_pace);
        for (std::size_t i = 0; i < now_.runs.size(); ++i) stand_still(i);
        news_ = true;
        publish(job);
        if (asked.wish == Wish::pause && asked.timed) expect(job);
    }

private:
    /// Runs that are trained together, or kept aside while others are.
    struct Set {
        typename LearningRequest<Family>::Recipes recipes;
        Observer<Family> observer;
        std::vector<std::unique_ptr<LiveRun<Family>>> runs;
        Views views;
        std::string failure;
    };

    /// Puts the current runs aside if requested; true if the requested runs had been kept and are current again.
    bool change_places(const LearningRequest<Family>& asked) {
        Set leaving = std::exchange(now_, {});
        leaving.failure.clear();  // already reported
        const auto back = std::ranges::find(aside_, asked.recipes, &Set::recipes);
        const bool are_there = back != aside_.end();
        if (are_there) {
            now_ = std::move(*back);
            aside_.erase(back);
        }
        if (leaving.recipes != nullptr) aside_.push_back(std::move(leaving));
        std::erase_if(aside_, [&](const Set& set) { return std::ranges::count(asked.aside, set.recipes) == 0; });
        return are_there;
    }

    void begin(typename Job::Run& job) {
        const LearningRequest<Family>& asked = job.request();
        if (change_places(asked)) return;
        job.publish(std::make_shared<const Shown>());
        now_.observer = {*asked.recipes, asked.typed};
        for (const auto& recipe : *asked.recipes) {
            check(recipe);
            const std::size_t place = now_.runs.size();
            now_.runs.push_back(begun(recipe, place < asked.continued.size() ? asked.continued[place] : nullptr));
        }
        now_.views.resize(now_.runs.size());
        for (std::size_t i = 0; i < now_.runs.size(); ++i) look(i, true);
        now_.recipes = asked.recipes;  // only once all of them exist
        publish(job);
    }

    /// The next run, continued from its checkpoint if there is one that can be read, otherwise from scratch.
    std::unique_ptr<LiveRun<Family>> begun(const typename Family::Recipe& recipe, const RunCheckpoint& checkpoint) {
        if (checkpoint) try {
                return continued_run<Family>(recipe, checkpoint);
            } catch (const Error& error) {
                now_.failure = error.what();
            }
        auto run = std::make_unique<LiveRun<Family>>(recipe);
        now_.observer.begin(*run, now_.runs.size());
        return run;
    }

    /// Makes a run's checkpoint if it has trained since the last one; none in the study, since convolutional nets have
    /// no such weights.
    void make_checkpoint(LiveRun<Family>& run) {
        if (!now_.observer.shows_models() || run.report.step == run.step_of_checkpoint) return;
        run.checkpoint = checkpoint_of(run);
        run.step_of_checkpoint = run.report.step;
    }

    /// Evaluates all moments on a newly typed text, newest first.
    void read(typename Job::Run& job) requires std::same_as<Family, Texts> {
        const std::string typed = job.request().typed;
        now_.observer.read(now_.recipes->front().sentences, typed);
        for (RunView<Texts>& view : now_.views) view.now = now_.observer.again(*view.now);
        news_ = true;
        publish(job);
        for (std::size_t i = 0; i < now_.runs.size(); ++i) {
            RunView<Texts>& view = now_.views[i];
            auto& kept = now_.runs[i]->kept;
            for (std::size_t k = kept.all().size(); k-- > 0;) {
                const bool newest = kept.all()[k]->report.step == view.now->report.step;
                kept.replace(k, newest ? view.now : now_.observer.again(*kept.all()[k]));
                report(job.progress(), 0);
            }
            view.kept = kept.all();
        }
        now_.observer.has_read(typed);
        news_ = true;
        publish(job);
    }

    /// Trains every unfinished run on a batch, and updates the views that are due; false if all runs are finished.
    bool advance(double pace) {
        bool more = false;
        const auto start = Clock::now();
        for (std::size_t i = 0; i < now_.runs.size(); ++i) {
            if (now_.runs[i]->over()) continue;
            now_.runs[i]->step();
            now_.observer.measure(*now_.runs[i], i, pace);
        }
        if (seconds_since(checkpoints_at_) > checkpoint_every) {
            for (const auto& run : now_.runs) make_checkpoint(*run);
            checkpoints_at_ = Clock::now();
        }
        const double passed = seconds_since(start);  // seconds of displayed time, the same for all runs
        for (std::size_t i = 0; i < now_.runs.size(); ++i) {
            LiveRun<Family>& run = *now_.runs[i];
            if (run.stage == RunStage::running) run.seconds += passed;
            const bool stepped = run.stage == RunStage::running || now_.views[i].stage != run.stage;
            const bool time = seconds_since(run.looked_at) > now_.observer.rest(run);
            if (stepped && (run.over() || time)) look(i, run.kept.wants(run.report.step) || run.over());
            more = more || !run.over();
        }
        due_ =
            start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pace > 0 ? 1 / pace : 0));
        return more;
    }

    /// Publishes changes, then waits until the next step is due; stops for a new request.
    void wait_for_pace(typename Job::Run& job) {
        publish(job);
        if (job.request().pace <= 0) return;
        while (Clock::now() < due_) {
            std::this_thread::sleep_for(std::min<Clock::duration>(nap, due_ - Clock::now()));
            report(job.progress(), 0);
        }
    }

    /// Estimates the speed of runs of a fixed length before they start.
    void expect(typename Job::Run& job) {
        if (!now_.observer.shows_models()) return;
        for (std::size_t i = 0; i < now_.runs.size(); ++i) {
            LiveRun<Family>& run = *now_.runs[i];
            if (run.expected_pace || run.trainer.seen() > 0 || !run.recipe.promised_examples) continue;
            run.expected_pace = timed_pace(run.recipe, [&] { report(job.progress(), 0); });
            now_.views[i].expected_pace = run.expected_pace;
            news_ = true;
            publish(job);
        }
    }

    void look(std::size_t place, bool keep) {
        LiveRun<Family>& run = *now_.runs[place];
        const auto start = Clock::now();
        const auto moment = now_.observer.moment_of(run, place);
        run.look_cost = seconds_since(start);
        run.measure_speed();
        if (keep) run.kept.keep(moment);
        now_.views[place] = {run.recipe,
                             run.stage,
                             std::min(1.0, run.progress()),
                             run.speed,
                             moment,
                             run.kept.all(),
                             run.curve,
                             run.expected_pace,
                             run.checkpoint,
                             run.restored};
        news_ = true;
    }

    /// Measures a stopped run, updates its view, and keeps its moment.
    void stand_still(std::size_t place) {
        LiveRun<Family>& run = *now_.runs[place];
        RunView<Family>& view = now_.views[place];
        if (now_.observer.measure_at_rest(run, place) || view.now->report.step != run.report.step) look(place, false);
        if (run.kept.all().back()->report.step == run.report.step)
            run.kept.replace(run.kept.all().size() - 1, view.now);
        else
            run.kept.keep(view.now);
        make_checkpoint(run);
        view.checkpoint = run.checkpoint;
        view.kept = run.kept.all();
        view.stage = run.stage;
        view.recipe = run.recipe;
        view.progress = std::min(1.0, run.progress());
    }

    /// Publishes changes; between two batches, stops the run for a new request.
    void publish(typename Job::Run& job) {
        if (std::exchange(news_, false))
            job.publish(std::make_shared<const Shown>(Shown{now_.recipes, now_.views, now_.failure}));
        else
            report(job.progress(), 0);
    }

    Set now_;
    std::vector<Set> aside_;  // kept while others are trained
    Clock::time_point due_;   // time of the next step
    bool news_ = false;       // the views have changed
    Clock::time_point checkpoints_at_ = Clock::now();
};

template <class Family>
Learning<Family>::Learning(std::function<void()> on_change)
    : runs_(std::make_unique<Runs>()),
      job_([this](typename Job::Run& run) { runs_->carry_out(run); }, std::move(on_change), ThreadPriority::low) {}

template <class Family>
Learning<Family>::~Learning() = default;

template <class Family>
void Learning<Family>::ask(Wish wish) {
    asked_.aside = aside_.all();
    asked_.wish = wish;
    ++asked_.number;
    job_.request(0, asked_);
}

template <class Family>
void Learning<Family>::set(const Recipes& recipes, std::vector<RunCheckpoint> checkpoints) {
    asked_.recipes = std::make_shared<const Recipes>(recipes);
    asked_.continued = std::move(checkpoints);
    ask(Wish::pause);
}

template <class Family>
void Learning<Family>::put_aside(Views unsaved) {
    if (asked_.recipes && any_has_begun(latest())) aside_.put(asked_.recipes, std::move(unsaved));
}

template <class Family>
bool Learning<Family>::bring_back(const Recipes& recipes) {
    const auto back = aside_.take(recipes);
    if (!back) return false;
    asked_.recipes = back;
    asked_.continued.clear();
    ask(Wish::pause);
    return true;
}

template <class Family>
void Learning<Family>::time_aside(bool timed) {
    if (asked_.timed == timed) return;
    asked_.timed = timed;
    if (asked_.recipes && asked_.wish == Wish::pause) ask(Wish::pause);
}

template <class Family>
void Learning<Family>::look_at(const std::string& typed, double pace) requires std::same_as<Family, Texts> {
    if (asked_.typed == typed && asked_.pace == pace) return;
    asked_.typed = typed;
    asked_.pace = pace;
    if (asked_.recipes) ask(running() ? Wish::run : Wish::pause);
}

template <class Family>
typename Learning<Family>::Views Learning<Family>::latest() const {
    const auto now = job_.latest(0);
    if (!now.result || now.result->recipes != asked_.recipes) return {};  // the result is of earlier runs
    Views views = now.result->runs;
    for (auto& view : views)
        if (!now.running && view.stage == RunStage::running) view.stage = RunStage::paused;
    return views;
}

template <class Family>
std::string Learning<Family>::take_failure() {
    if (std::string failure = job_.take_failure(0); !failure.empty()) return failure;
    const auto now = job_.latest(0);
    if (!now.result || now.result->failure.empty() || now.result->recipes == failed_told_) return {};
    failed_told_ = now.result->recipes;
    return now.result->failure;
}

template <class Family>
std::vector<RunCheckpoint> Learning<Family>::checkpoints() const {
    const Views views = latest();
    if (views.empty()) return asked_.continued;
    std::vector<RunCheckpoint> all;
    for (const RunView<Family>& view : views) all.push_back(view.checkpoint);
    return all;
}

template <class Family>
bool Learning<Family>::running() const {
    return until_over() && job_.latest(0).running;
}

template <class Family>
void Learning<Family>::wait() const {
    if (!until_over()) job_.wait();
}

template class Learning<Pictures>;
template class Learning<Texts>;

}  // namespace vitrine
