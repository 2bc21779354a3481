#include "app/jobs/learning.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/jobs/kept_moments.h"
#include "app/jobs/timed_aside.h"
#include "app/platform/threads.h"
#include "core/base/clock.h"
#include "core/measures/analysis.h"
#include "core/training/runs/run_record.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

constexpr double look_seconds = 0.2;       // five times a second: each look costs some batches
constexpr std::size_t most_kept = 120;     // moments to scrub through
constexpr std::size_t most_points = 2000;  // of a curve

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

/// The bin of log₁₀|g|, from the bits of g: exact but for a sixteenth of the mantissa, and many times as fast.
int bin_of(float g) {
    static const std::array<std::uint8_t, 4096> bins = [] {
        std::array<std::uint8_t, 4096> table = {};
        for (std::uint32_t i = 0; i < table.size(); ++i) {
            const double magnitude = static_cast<double>(std::bit_cast<float>(i << 19 | 1U << 18));
            const double height = std::isfinite(magnitude) && magnitude > 0 ? std::log10(magnitude) : BlockFlow::lowest;
            const double share = (height - BlockFlow::lowest) / (BlockFlow::highest - BlockFlow::lowest);
            table[i] = static_cast<std::uint8_t>(
                std::clamp(static_cast<int>(share * BlockFlow::bins), 0, BlockFlow::bins - 1));
        }
        return table;
    }();
    return bins[(std::bit_cast<std::uint32_t>(g) & 0x7FFFFFFFU) >> 19];
}

std::vector<BlockFlow> flows_of(const Trainer& trainer) {
    const FlatWeights& gradients = trainer.gradients();
    const FlatWeights& weights = trainer.parameters();
    std::vector<BlockFlow> flows(static_cast<std::size_t>(trainer.recipe().model.blocks));
    for (const NamedParameter& p : parameters_of(gradients.weights())) {
        if (p.block < 1 || p.block > static_cast<int>(flows.size()) || !p.in_block_matrix) continue;
        BlockFlow& flow = flows[static_cast<std::size_t>(p.block - 1)];
        const float* const w = weights.values().data() + gradients.offset_of(p.parameter);
        for (std::size_t i = 0; i < p.parameter.size(); ++i) {
            const double g = static_cast<double>(p.parameter(i));
            flow.gradient_norm += g * g;
            flow.weight_norm += static_cast<double>(w[i]) * static_cast<double>(w[i]);
            flow.gradients[static_cast<std::size_t>(bin_of(p.parameter(i)))] += 1;
        }
    }
    for (BlockFlow& flow : flows) {
        flow.gradient_norm = std::sqrt(flow.gradient_norm);
        flow.weight_norm = std::sqrt(flow.weight_norm);
        float count = 0;
        for (const float n : flow.gradients) count += n;
        for (float& n : flow.gradients) n /= std::max(count, 1.0F);
    }
    return flows;
}

/// How a run is measured on fresh pictures and on its own.
struct Checks {
    int count = 0;            // pictures of either kind; 0: never
    std::uint64_t first = 0;  // after so many pictures
};
constexpr std::uint64_t first_check = 256, check_every = 1000;  // pictures; later a tenth of those seen more

/// A run and what is remembered of it.
struct LearningRun {
    LearningRun(const Recipe& r, const Checks& c)
        : recipe(r),
          checks(c),
          trainer(r, {cores_beside_the_window(), low_niceness}),
          next_check(c.first),
          curve(std::make_shared<LearningCurve>()) {}

    bool over() const { return stage == RunStage::done || stage == RunStage::diverged; }

    double progress() const {
        if (recipe.promised_seconds) return seconds / *recipe.promised_seconds;
        return static_cast<double>(trainer.pictures()) / static_cast<double>(recipe.promised_pictures.value_or(1));
    }

    /// Promises as much again as at first.
    void extend() {
        if (stage != RunStage::done) return;
        const Recipe& first = trainer.recipe();
        if (first.promised_seconds) *recipe.promised_seconds += *first.promised_seconds;
        if (first.promised_pictures) *recipe.promised_pictures += *first.promised_pictures;
        stage = RunStage::paused;
    }

    void step() {
        stage = RunStage::running;
        report = trainer.step(std::min(1.0, progress()));
        score.take(report, recipe.batch);
        if (!std::isfinite(report.loss)) stage = RunStage::diverged;
        if (progress() >= 1) stage = RunStage::done;
        if (checks.count > 0 && (report.pictures >= next_check || stage == RunStage::done)) measure_accuracy();
        if (report.step < next_point) return;
        curve = std::make_shared<LearningCurve>(*curve);
        curve->pictures.push_back(static_cast<double>(report.pictures));
        curve->loss.push_back(score.loss);
        curve->accuracy.push_back(score.accuracy);
        // Denser at the beginning, where most happens.
        next_point = report.step + 1 + report.step * 4 / most_points;
    }

    void measure_accuracy() {
        auto longer = std::make_shared<LearningCurve>(*curve);
        longer->checked.push_back(static_cast<double>(report.pictures));
        longer->fresh.push_back(trainer.accuracy(checks.count));
        longer->training.push_back(recipe.distinct_pictures ? trainer.training_accuracy(checks.count)
                                                            : longer->fresh.back());
        curve = std::move(longer);
        next_check = report.pictures + check_every + report.pictures / 10;
    }

    /// Pictures a second since it was last looked at.
    void measure_speed() {
        const auto now = Clock::now();
        const double passed = seconds_between(looked_at, now);
        if (trainer.pictures() > pictures_then && passed < 10)
            speed = static_cast<double>(trainer.pictures() - pictures_then) / std::max(passed, 1e-6);
        looked_at = now;
        pictures_then = trainer.pictures();
    }

    Recipe recipe;
    Checks checks;
    Trainer trainer;
    std::uint64_t next_check = 0;
    StepReport report;
    RunStage stage = RunStage::ready;
    RunningScore score;
    double seconds = 0, speed = 0;
    std::uint64_t next_point = 0;  // in steps
    std::shared_ptr<LearningCurve> curve;
    KeptMoments<LearningMoment> kept{most_kept};
    Clock::time_point looked_at;
    std::uint64_t pictures_then = 0;
    std::optional<double> expected_pace;
};

/// Pictures a second of a run of this recipe, from a few steps of another one; `after_step` is called between them.
double timed_pace(const Recipe& recipe, const std::function<void()>& after_step) {
    Trainer aside(recipe, {cores_beside_the_window(), low_niceness});
    return recipe.batch / seconds_a_step([&] { aside.step(0); }, after_step);
}

/// What the model makes of the examples.
void look_at_examples(const std::vector<ExamplePicture>& pictures, LearningMoment& moment) {
    const Model& model = *moment.model;
    const Config& c = model.config;
    std::vector<const std::uint8_t*> pixels;
    std::vector<Image> resized;
    resized.reserve(pictures.size());
    for (const ExamplePicture& p : pictures) {
        const bool fits = p.small->width == c.image_width;
        resized.push_back(fits ? *p.small
                               : resize(*p.large, c.image_width, c.image_height, Preprocessing::Filter::bilinear));
        pixels.push_back(resized.back().rgb.data());
    }
    const Trace trace = forward(model, normalised(pixels, model));
    moment.probabilities.assign(trace.head->probabilities.begin(), trace.head->probabilities.end());
    for (std::size_t image = 0; image < pictures.size(); ++image)
        for (int l = 1; l <= trace.blocks(); ++l) {
            const auto block = trace.block(l);
            for (int head = 0; head < c.heads; ++head) {
                const std::vector<float> row = readout_row(c, *block, static_cast<int>(image) * c.heads + head);
                float rest = 1;
                for (int j = 0; j < c.leading_tokens(); ++j) rest -= row[static_cast<std::size_t>(j)];
                for (const float a : c.patches_of(row)) moment.attention.push_back(rest > 0 ? a / rest : 0.0F);
            }
        }
}

/// A run as it stands, with its model where that is looked at.
std::shared_ptr<const LearningMoment> moment_of(const LearningRun& run, const std::vector<ExamplePicture>* pictures) {
    auto moment = std::make_shared<LearningMoment>();
    moment->report = run.report;
    moment->loss = run.score.loss;
    moment->accuracy = run.score.accuracy;
    moment->seconds = run.seconds;
    if (pictures == nullptr) return moment;
    moment->model = std::make_shared<Model>(run.trainer.model());
    if (run.stage != RunStage::diverged) look_at_examples(*pictures, *moment);
    const Config& c = moment->model->config;
    if (c.positions != Positions::none) {
        const auto d = static_cast<std::size_t>(c.embedding_dim);
        moment->position_similarity = cosine_similarity(
            moment->model->weights.position.data() + static_cast<std::size_t>(c.first_patch_position()) * d,
            static_cast<std::size_t>(c.patches()), d);
    }
    moment->blocks = flows_of(run.trainer);
    return moment;
}

}  // namespace

/// The runs and how they are shown; the job's thread alone knows them.
class Learning::Runs {
public:
    explicit Runs(const LearningExamples& pictures) : pictures_(pictures) {}

    void carry_out(Job::Run& job) {
        const LearningRequest& asked = job.request();
        if (asked.recipes != recipes_) begin(job);
        if (asked.wish == Wish::go_on)
            for (const auto& run : runs_) run->extend();
        if (asked.wish == Wish::run || asked.wish == Wish::go_on)
            while (advance()) publish(job);
        else if (asked.wish == Wish::one_step)
            advance();
        for (std::size_t i = 0; i < runs_.size(); ++i) stand_still(i);
        news_ = true;
        publish(job);
        if (asked.wish == Wish::pause && asked.timed) expect(job);
    }

private:
    void begin(Job::Run& job) {
        const LearningRequest& asked = job.request();
        const auto is_kept = [&](const Kept& kept) { return std::ranges::count(asked.aside, kept.recipes) > 0; };
        Kept leaving{std::move(recipes_), std::move(runs_), std::move(views_)};
        const auto back = std::ranges::find(aside_, asked.recipes, &Kept::recipes);
        const bool are_there = back != aside_.end();
        if (are_there) {  // as they stood
            recipes_ = std::move(back->recipes);
            runs_ = std::move(back->runs);
            views_ = std::move(back->views);
        }
        if (leaving.recipes != nullptr) aside_.push_back(std::move(leaving));
        std::erase_if(aside_, [&](const Kept& kept) { return !is_kept(kept); });
        if (are_there) return;
        recipes_.reset();  // until all of them are there
        runs_.clear();
        views_.clear();
        job.publish(std::make_shared<const Shown>());
        const bool many = job.request().recipes->size() > most_shown;
        for (const Recipe& recipe : *job.request().recipes) {
            check(recipe);
            const std::uint64_t turn = runs_.size() * static_cast<std::uint64_t>(recipe.batch);  // not all at once
            const Checks checks{many ? 200 : recipe.distinct_pictures ? 400 : 0, first_check + turn};
            runs_.push_back(std::make_unique<LearningRun>(recipe, checks));
        }
        views_.resize(runs_.size());
        for (std::size_t i = 0; i < runs_.size(); ++i) look(i, true);
        recipes_ = job.request().recipes;
        publish(job);
    }

    /// A batch of every run that is not over; false where all are. A run is looked at where time has passed.
    bool advance() {
        bool more = false;
        const auto start = Clock::now();
        for (const auto& run : runs_)
            if (!run->over()) run->step();
        // The promise is of the show's time, which runs share.
        const double passed = seconds_between(start, Clock::now());
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            LearningRun& run = *runs_[i];
            const bool stepped = run.stage == RunStage::running || views_[i].stage != run.stage;
            if (run.stage == RunStage::running) run.seconds += passed;
            const bool keep = run.kept.wants(run.report.step) || run.over();
            if (stepped && (run.over() || seconds_between(run.looked_at, Clock::now()) > look_seconds)) look(i, keep);
            more = more || !run.over();
        }
        return more;
    }

    /// How fast runs of a promised number of pictures will be, before they begin.
    void expect(Job::Run& job) {
        if (runs_.size() > most_shown) return;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            LearningRun& run = *runs_[i];
            if (run.expected_pace || run.trainer.pictures() > 0 || !run.recipe.promised_pictures) continue;
            run.expected_pace = timed_pace(run.recipe, [&] { report(job.progress(), 0); });
            views_[i].expected_pace = run.expected_pace;
            news_ = true;
            publish(job);
        }
    }

    void look(std::size_t place, bool keep) {
        LearningRun& run = *runs_[place];
        const bool shown = runs_.size() <= most_shown;
        const auto moment = moment_of(run, shown ? &examples_of(pictures_, run.recipe.pictures.scenes) : nullptr);
        run.measure_speed();
        if (keep) run.kept.keep(moment);
        views_[place] = {run.recipe, run.stage,        std::min(1.0, run.progress()), run.speed, moment, run.kept.all(),
                         run.curve,  run.expected_pace};
        news_ = true;
    }

    /// What stands still is shown as it stands, and kept.
    void stand_still(std::size_t place) {
        LearningRun& run = *runs_[place];
        RunView& view = views_[place];
        if (view.now->report.step != run.report.step) return look(place, true);
        if (run.kept.all().back()->report.step == run.report.step) return;
        run.kept.keep(view.now);
        view.kept = run.kept.all();
    }

    /// Shows what is new; stops the run, between two batches, where something else is asked for.
    void publish(Job::Run& job) {
        if (std::exchange(news_, false))
            job.publish(std::make_shared<const Shown>(Shown{recipes_, views_}));
        else
            report(job.progress(), 0);
    }

    const LearningExamples& pictures_;
    struct Kept {
        LearningRequest::Recipes recipes;
        std::vector<std::unique_ptr<LearningRun>> runs;
        std::vector<RunView> views;
    };
    LearningRequest::Recipes recipes_;
    std::vector<std::unique_ptr<LearningRun>> runs_;
    std::vector<RunView> views_;
    std::vector<Kept> aside_;  // while others learn
    bool news_ = false;        // views_ tell something new
};

Learning::Learning(std::function<void()> on_change)
    : pictures_(learning_examples()),
      runs_(std::make_unique<Runs>(pictures_)),
      job_([this](Job::Run& run) { runs_->carry_out(run); }, std::move(on_change), ThreadPriority::low) {}

Learning::~Learning() = default;

void Learning::ask(Wish wish) {
    asked_.aside = aside_.all();
    asked_.wish = wish;
    ++asked_.number;
    job_.request(0, asked_);
}

void Learning::set(const std::vector<Recipe>& recipes) {
    asked_.recipes = std::make_shared<const std::vector<Recipe>>(recipes);
    ask(Wish::pause);
}

void Learning::put_aside(std::vector<RunView> unsaved) {
    if (asked_.recipes && any_has_begun(latest())) aside_.put(asked_.recipes, std::move(unsaved));
}

std::vector<RunView> Learning::unsaved_aside() const { return aside_.unsaved(); }

bool Learning::bring_back(const std::vector<Recipe>& recipes) {
    const LearningRequest::Recipes back = aside_.take(recipes);
    if (!back) return false;
    asked_.recipes = back;
    ask(Wish::pause);
    return true;
}

void Learning::start() { ask(Wish::run); }

void Learning::pause() { ask(Wish::pause); }

void Learning::go_on() { ask(Wish::go_on); }

void Learning::step() { ask(Wish::one_step); }

void Learning::time_aside(bool timed) {
    if (asked_.timed == timed) return;
    asked_.timed = timed;
    if (asked_.recipes && asked_.wish == Wish::pause) ask(Wish::pause);
}

std::vector<RunView> Learning::latest() const {
    const auto now = job_.latest(0);
    if (!now.result || now.result->recipes != asked_.recipes) return {};  // those of others
    std::vector<RunView> views = now.result->runs;
    for (RunView& view : views)
        if (!now.running && view.stage == RunStage::running) view.stage = RunStage::paused;
    return views;
}

std::string Learning::take_failure() {
    const auto failure = job_.take_failure(0);
    return failure ? *failure : std::string();
}

bool Learning::running() const {
    return (asked_.wish == Wish::run || asked_.wish == Wish::go_on) && job_.latest(0).running;
}

void Learning::wait() const {
    if (asked_.wish != Wish::run && asked_.wish != Wish::go_on) job_.wait();
}

}  // namespace vitrine
