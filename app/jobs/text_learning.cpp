#include "app/jobs/text_learning.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/jobs/kept_moments.h"
#include "app/jobs/timed_aside.h"
#include "app/platform/threads.h"
#include "core/base/clock.h"
#include "core/base/denormals.h"
#include "core/training/text/text_record.h"

namespace vitrine {

namespace {

constexpr double text_look_seconds = 0.08;  // between two looks, and at least as long as `looks` of them take
constexpr double looks = 6;
constexpr std::size_t most_text_moments = 80;       // moments to scrub through, each with its model
constexpr std::size_t most_text_points = 2000;      // of a curve
constexpr int asked = 200, asked_at_last = 1000;    // held-out examples of a measurement
constexpr std::uint64_t measured_every = 640;       // sentences
constexpr double slow_pace = 40;                    // steps a second, from which down more is measured
constexpr auto nap = std::chrono::milliseconds(4);  // between two questions whether something else is wanted

/// A run and what is remembered of it.
struct LearningTextRun {
    explicit LearningTextRun(const TextRecipe& r)
        : recipe(r), trainer(r, {cores_beside_the_window(), low_niceness}), curve(std::make_shared<TextCurve>()) {}

    bool over() const { return stage == RunStage::done || stage == RunStage::diverged; }

    double progress() const {
        return static_cast<double>(trainer.sentences()) / static_cast<double>(*recipe.promised_sentences);
    }

    /// Promises as much again as at first.
    void extend() {
        if (stage != RunStage::done) return;
        *recipe.promised_sentences += *trainer.recipe().promised_sentences;
        stage = RunStage::paused;
    }

    void step(double pace) {
        stage = RunStage::running;
        report = trainer.step(std::min(1.0, progress()));
        const double share = std::max(1.0 / static_cast<double>(report.step), smoothing);
        loss += share * (report.loss - loss);
        if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm)) stage = RunStage::diverged;
        if (stage != RunStage::diverged && progress() >= 1) stage = RunStage::done;
        if (report.sentences >= next_measured || stage == RunStage::done) measure(pace);
        if (report.step < next_point) return;
        curve = std::make_shared<TextCurve>(*curve);
        curve->sentences.push_back(static_cast<double>(report.sentences));
        curve->loss.push_back(loss);
        next_point =
            report.step + 1 + report.step * 4 / most_text_points;  // denser at the beginning, where most happens
    }

    /// On held-out examples; more often while there is time for it.
    void measure(double pace) {
        if (stage == RunStage::diverged) return;
        const bool slow = pace > 0 && pace <= slow_pace;
        const std::uint64_t every = slow ? measured_every / 4 : measured_every;
        // A decoder that sees later words must write each sentence word by word to be measured.
        next_measured = report.sentences + (recipe.model.causal ? every : 4 * every);
        if (!curve->checked.empty() && curve->checked.back() == static_cast<double>(report.sentences)) return;
        const TextEvaluation e = evaluate(trainer.model(), {.count = stage == RunStage::done ? asked_at_last : asked,
                                                            .threads = cores_beside_the_window(),
                                                            .brief = true});
        held_out = right_of(e);
        attention = attention_of(e);
        head = head_of(e);
        auto longer = std::make_shared<TextCurve>(*curve);
        longer->checked.push_back(static_cast<double>(report.sentences));
        longer->held_out.push_back(held_out);
        longer->attention.push_back(attention);
        curve = std::move(longer);
    }

    /// Sentences a second since it was last looked at.
    void measure_speed() {
        const auto now = Clock::now();
        const double passed = std::chrono::duration<double>(now - looked_at).count();
        if (trainer.sentences() > sentences_then && passed < 10)
            speed = static_cast<double>(trainer.sentences() - sentences_then) / std::max(passed, 1e-6);
        looked_at = now;
        sentences_then = trainer.sentences();
    }

    static constexpr double smoothing = 0.1;  // of the loss, over some ten steps

    TextRecipe recipe;
    TextTrainer trainer;
    TextStepReport report;
    RunStage stage = RunStage::ready;
    double loss = 0, held_out = 0, attention = 0, seconds = 0, speed = 0;
    TalliedHead head{1, 0, 0, 0, 0};
    std::uint64_t next_measured = 0, next_point = 0;  // in sentences; in steps
    std::shared_ptr<TextCurve> curve;
    KeptMoments<TextMoment> kept{most_text_moments};
    Clock::time_point looked_at;
    double look_cost = 0;  // seconds
    std::optional<double> expected_pace;
    std::uint64_t sentences_then = 0;
};

/// Sentences a second of a run of this recipe, from a few steps of another one; `after_step` is called between them.
double timed_text_pace(const TextRecipe& recipe, const std::function<void()>& after_step) {
    TextTrainer aside(recipe, {cores_beside_the_window(), low_niceness});
    return recipe.batch / seconds_a_step([&] { aside.step(0); }, after_step);
}

std::shared_ptr<TextMoment> text_moment_of(const LearningTextRun& run, const std::vector<LookedText>& texts) {
    auto moment = std::make_shared<TextMoment>();
    moment->report = run.report;
    moment->loss = run.loss;
    moment->held_out = run.held_out;
    moment->attention = run.attention;
    moment->head = run.head;
    moment->seconds = run.seconds;
    moment->model = std::make_shared<TextModel>(run.trainer.model());
    if (run.stage != RunStage::diverged) moment->said = say(*moment->model, texts, run.head);
    return moment;
}

}  // namespace

/// The runs and how they are shown; the job's thread alone knows them.
class TextLearning::Runs {
public:
    void carry_out(Job::Run& job) {
        const FlushDenormals flush;
        const TextLearningRequest& request = job.request();
        if (request.recipes != recipes_) begin(job);
        if (request.typed != typed_) read(job);
        if (request.wish == Wish::go_on)
            for (const auto& run : runs_) run->extend();
        if (request.wish == Wish::run || request.wish == Wish::go_on)
            while (advance(request.pace)) wait_for_pace(job);
        else if (request.wish == Wish::one_step)
            advance(slow_pace);
        for (std::size_t i = 0; i < runs_.size(); ++i) stand_still(i);
        news_ = true;
        publish(job);
        if (request.wish == Wish::pause && request.timed) expect(job);
    }

private:
    /// Runs that others take the place of, with the texts that they were looked at with.
    struct Kept {
        TextLearningRequest::Recipes recipes;
        std::string typed;
        std::vector<LookedText> texts;
        std::vector<std::unique_ptr<LearningTextRun>> runs;
        std::vector<TextRunView> views;
    };

    /// What is there goes aside where that is asked for; true where the runs to be were kept, and are back as they
    /// stood.
    bool change_places(const TextLearningRequest& asked) {
        Kept leaving{std::move(recipes_), typed_, texts_, std::move(runs_), std::move(views_)};
        const auto back = std::ranges::find(aside_, asked.recipes, &Kept::recipes);
        const bool are_there = back != aside_.end();
        if (are_there) {
            recipes_ = back->recipes;
            typed_ = std::move(back->typed);
            texts_ = std::move(back->texts);
            runs_ = std::move(back->runs);
            views_ = std::move(back->views);
            aside_.erase(back);
        }
        if (leaving.recipes != nullptr) aside_.push_back(std::move(leaving));
        std::erase_if(aside_, [&](const Kept& kept) { return std::ranges::count(asked.aside, kept.recipes) == 0; });
        return are_there;
    }

    void begin(Job::Run& job) {
        if (change_places(job.request())) return;
        recipes_.reset();  // until all of them are there
        runs_.clear();
        views_.clear();
        job.publish(std::make_shared<const Shown>());
        const std::vector<TextRecipe>& recipes = *job.request().recipes;
        typed_ = job.request().typed;
        texts_ = texts_of(recipes);
        for (const TextRecipe& recipe : recipes) {
            check(recipe);
            runs_.push_back(std::make_unique<LearningTextRun>(recipe));
        }
        views_.resize(runs_.size());
        for (std::size_t i = 0; i < runs_.size(); ++i) look(i, true);
        recipes_ = job.request().recipes;
        publish(job);
    }

    std::vector<LookedText> texts_of(const std::vector<TextRecipe>& recipes) const {
        if (recipes.empty()) return {};
        return looked_texts(recipes.front().sentences.task, recipes.front().sentences.to, typed_);
    }

    /// Another text was typed: all moments are looked at with it, the newest first.
    void read(Job::Run& job) {
        const std::string typed = job.request().typed;
        typed_ = typed;
        texts_ = texts_of(*recipes_);
        typed_ += "\n";  // neither the old text nor the new one, should this be stopped
        const TextSet& set = recipes_->front().sentences;
        const std::size_t samples = text_samples(set.task, set.to).size();
        const std::vector<LookedText> own(texts_.begin() + static_cast<std::ptrdiff_t>(samples), texts_.end());
        const auto again = [&](const TextMoment& old) {
            auto moment = std::make_shared<TextMoment>(old);
            if (moment->said.empty()) return moment;  // of a run that diverged
            moment->said.resize(samples);
            for (SaidText& said : say(*moment->model, own, moment->head)) moment->said.push_back(std::move(said));
            return moment;
        };
        for (std::size_t i = 0; i < runs_.size(); ++i) views_[i].now = again(*views_[i].now);
        news_ = true;
        publish(job);
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            KeptMoments<TextMoment>& kept = runs_[i]->kept;
            for (std::size_t k = kept.all().size(); k-- > 0;) {
                const bool newest = kept.all()[k]->report.step == views_[i].now->report.step;
                kept.replace(k, newest ? views_[i].now : again(*kept.all()[k]));
                report(job.progress(), 0);
            }
            views_[i].kept = kept.all();
        }
        typed_ = typed;
        news_ = true;
        publish(job);
    }

    /// A batch of every run that is not over; false where all are. A run is looked at where time has passed.
    bool advance(double pace) {
        bool more = false;
        const auto start = Clock::now();
        for (const auto& run : runs_)
            if (!run->over()) run->step(pace);
        const double passed = seconds_since(start);
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            LearningTextRun& run = *runs_[i];
            if (run.stage == RunStage::running) run.seconds += passed;
            const bool stepped = run.stage == RunStage::running || views_[i].stage != run.stage;
            const bool time = seconds_since(run.looked_at) > std::max(text_look_seconds, looks * run.look_cost);
            if (stepped && (run.over() || time)) look(i, run.kept.wants(run.report.step) || run.over());
            more = more || !run.over();
        }
        due_ =
            start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pace > 0 ? 1 / pace : 0));
        return more;
    }

    /// Shows what is new, then waits until the next step may come; stops where something else is asked for.
    void wait_for_pace(Job::Run& job) {
        publish(job);
        const double pace = job.request().pace;
        if (pace <= 0) return;
        while (Clock::now() < due_) {
            std::this_thread::sleep_for(std::min<Clock::duration>(nap, due_ - Clock::now()));
            report(job.progress(), 0);
        }
    }

    /// How fast the runs will be, before they begin.
    void expect(Job::Run& job) {
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            LearningTextRun& run = *runs_[i];
            if (run.expected_pace || run.trainer.sentences() > 0) continue;
            run.expected_pace = timed_text_pace(run.recipe, [&] { report(job.progress(), 0); });
            views_[i].expected_pace = run.expected_pace;
            news_ = true;
            publish(job);
        }
    }

    void look(std::size_t place, bool keep) {
        LearningTextRun& run = *runs_[place];
        const auto start = Clock::now();
        const std::shared_ptr<const TextMoment> moment = text_moment_of(run, texts_);
        run.look_cost = seconds_since(start);
        run.measure_speed();
        if (keep) run.kept.keep(moment);
        views_[place] = {run.recipe, run.stage,        std::min(1.0, run.progress()), run.speed, moment, run.kept.all(),
                         run.curve,  run.expected_pace};
        news_ = true;
    }

    /// What stands still is measured and shown as it stands, and kept.
    void stand_still(std::size_t place) {
        LearningTextRun& run = *runs_[place];
        const auto now = static_cast<double>(run.report.sentences);
        const bool measured = run.report.step == 0 || (!run.curve->checked.empty() && run.curve->checked.back() == now);
        if (!measured) run.measure(slow_pace);
        if (!measured || views_[place].now->report.step != run.report.step) look(place, false);
        TextRunView& view = views_[place];
        if (run.kept.all().back()->report.step == run.report.step)
            run.kept.replace(run.kept.all().size() - 1, view.now);
        else
            run.kept.keep(view.now);
        view.kept = run.kept.all();
        view.stage = run.stage;
        view.recipe = run.recipe;
        view.progress = std::min(1.0, run.progress());
    }

    /// Shows what is new; stops the run, between two batches, where something else is asked for.
    void publish(Job::Run& job) {
        if (std::exchange(news_, false))
            job.publish(std::make_shared<const Shown>(Shown{recipes_, views_}));
        else
            report(job.progress(), 0);
    }

    std::shared_ptr<const std::vector<TextRecipe>> recipes_;
    std::string typed_;
    std::vector<LookedText> texts_;
    std::vector<std::unique_ptr<LearningTextRun>> runs_;
    std::vector<TextRunView> views_;
    std::vector<Kept> aside_;  // while others learn
    Clock::time_point due_;    // when the next step may come
    bool news_ = false;        // views_ tell something new
};

TextLearning::TextLearning(std::function<void()> on_change)
    : runs_(std::make_unique<Runs>()),
      job_([this](Job::Run& run) { runs_->carry_out(run); }, std::move(on_change), ThreadPriority::low) {}

TextLearning::~TextLearning() = default;

void TextLearning::ask(Wish wish) {
    asked_.aside = aside_.all();
    asked_.wish = wish;
    ++asked_.number;
    job_.request(0, asked_);
}

void TextLearning::set(const std::vector<TextRecipe>& recipes) {
    asked_.recipes = std::make_shared<const std::vector<TextRecipe>>(recipes);
    ask(Wish::pause);
}

void TextLearning::put_aside(std::vector<TextRunView> unsaved) {
    if (asked_.recipes && any_has_begun(latest())) aside_.put(asked_.recipes, std::move(unsaved));
}

std::vector<TextRunView> TextLearning::unsaved_aside() const { return aside_.unsaved(); }

bool TextLearning::bring_back(const std::vector<TextRecipe>& recipes) {
    const TextLearningRequest::Recipes back = aside_.take(recipes);
    if (!back) return false;
    asked_.recipes = back;
    ask(Wish::pause);
    return true;
}

void TextLearning::start() { ask(Wish::run); }

void TextLearning::pause() { ask(Wish::pause); }

void TextLearning::go_on() { ask(Wish::go_on); }

void TextLearning::step() { ask(Wish::one_step); }

void TextLearning::time_aside(bool timed) {
    if (asked_.timed == timed) return;
    asked_.timed = timed;
    if (asked_.recipes && asked_.wish == Wish::pause) ask(Wish::pause);
}

void TextLearning::look_at(const std::string& typed, double pace) {
    if (asked_.typed == typed && asked_.pace == pace) return;
    asked_.typed = typed;
    asked_.pace = pace;
    if (asked_.recipes) ask(running() ? Wish::run : Wish::pause);
}

std::vector<TextRunView> TextLearning::latest() const {
    const auto now = job_.latest(0);
    if (!now.result || now.result->recipes != asked_.recipes) return {};  // those of others
    std::vector<TextRunView> views = now.result->runs;
    for (TextRunView& view : views)
        if (!now.running && view.stage == RunStage::running) view.stage = RunStage::paused;
    return views;
}

std::string TextLearning::take_failure() { return job_.take_failure(0); }

bool TextLearning::running() const { return goes_on() && job_.latest(0).running; }

void TextLearning::wait() const {
    if (!goes_on()) job_.wait();
}

}  // namespace vitrine
