#include "app/jobs/learning.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include "core/analysis.h"
#include "core/forward.h"
#include "core/readout.h"

namespace vitrine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int niceness = 10;
constexpr double publish_seconds = 0.2;    // five times a second: each look costs some batches
constexpr std::size_t most_kept = 120;     // moments to scrub through
constexpr std::size_t most_points = 2000;  // of a curve
constexpr int large_picture = 192;

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

/// One core is the window's.
int crew_size() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

std::vector<ExamplePicture> draw_examples(int size) {
    std::vector<ExamplePicture> pictures;
    constexpr std::array<int, LearningWorker::examples> labels = {6, 7, 11, 4, 9, 2};
    for (const int label : labels) {
        const PictureRequest request{{77, Difficulty::normal, false}, static_cast<std::uint64_t>(label), size, label};
        PictureRequest for_the_eye = request;
        for_the_eye.size = large_picture;
        pictures.push_back({label, std::make_shared<Image>(draw_picture(request).image),
                            std::make_shared<Image>(draw_picture(for_the_eye).image)});
    }
    return pictures;
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

}  // namespace

/// A run and what is remembered of it.
struct LearningWorker::Run {
    explicit Run(const Recipe& r)
        : recipe(r), trainer(r, {crew_size(), niceness}), curve(std::make_shared<LearningCurve>()) {}

    double progress() const {
        return recipe.promised_seconds ? seconds / *recipe.promised_seconds : trainer.progress();
    }

    /// Smoothed as if over the last 500 pictures or so.
    void take(const StepReport& step) {
        report = step;
        const double share = std::min(1.0, std::max(1.0 / static_cast<double>(step.step), recipe.batch / 500.0));
        loss += share * (step.loss - loss);
        accuracy += share * (step.accuracy - accuracy);
    }

    Recipe recipe;
    Trainer trainer;
    StepReport report;
    RunStage stage = RunStage::ready;
    double loss = 0, accuracy = 0, seconds = 0, speed = 0;
    std::uint64_t keep_every = 1, next_point = 0;  // in steps
    std::shared_ptr<LearningCurve> curve;
    std::vector<std::shared_ptr<const LearningMoment>> kept;
    Clock::time_point published;
    std::uint64_t published_pictures = 0;
};

namespace {

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
                for (int j = 0; j < c.extra_tokens(); ++j) rest -= row[static_cast<std::size_t>(j)];
                for (const float a : c.patches_of(row)) moment.attention.push_back(rest > 0 ? a / rest : 0.0F);
            }
        }
}

}  // namespace

LearningWorker::LearningWorker(std::function<void()> on_change)
    : on_change_(std::move(on_change)), pictures_(draw_examples(64)), thread_([this] { work(); }) {}

LearningWorker::~LearningWorker() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void LearningWorker::set(const std::vector<Recipe>& recipes) {
    {
        const std::lock_guard lock(mutex_);
        asked_ = recipes;
        wish_ = Wish::nothing;
    }
    changed_.notify_all();
}

void LearningWorker::start() {
    {
        const std::lock_guard lock(mutex_);
        wish_ = Wish::run;
    }
    changed_.notify_all();
}

void LearningWorker::pause() {
    {
        const std::lock_guard lock(mutex_);
        wish_ = Wish::nothing;
    }
    changed_.notify_all();
}

void LearningWorker::step() {
    {
        const std::lock_guard lock(mutex_);
        wish_ = Wish::one_step;
    }
    changed_.notify_all();
}

std::vector<RunView> LearningWorker::latest() const {
    const std::lock_guard lock(mutex_);
    return views_;
}

bool LearningWorker::running() const {
    const std::lock_guard lock(mutex_);
    return wish_ == Wish::run || working_;
}

void LearningWorker::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !asked_ && (wish_ == Wish::run || (!working_ && wish_ == Wish::nothing)); });
}

void LearningWorker::work() {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);  // Linux: of this thread only
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return quit_ || asked_ || wish_ != Wish::nothing; });
        if (quit_) return;
        if (asked_) {
            const std::vector<Recipe> recipes = *asked_;
            asked_.reset();
            working_ = true;
            lock.unlock();
            runs_.clear();
            for (const Recipe& recipe : recipes) runs_.push_back(std::make_unique<Run>(recipe));
            lock.lock();
            views_.assign(runs_.size(), {});
            lock.unlock();
            for (const auto& run : runs_) publish(*run, true);
            lock.lock();
            working_ = false;
        } else {
            const Wish doing = wish_;
            working_ = true;
            lock.unlock();
            const bool more = advance();
            lock.lock();
            if (!more || (doing == Wish::one_step && wish_ == Wish::one_step)) wish_ = Wish::nothing;
            if (wish_ == Wish::nothing && !asked_) {  // what stands still is shown as it stands
                lock.unlock();
                for (const auto& run : runs_) publish(*run, run->kept.back()->report.step != run->report.step);
                lock.lock();
            }
            working_ = false;
        }
        changed_.notify_all();
        if (on_change_ && wish_ != Wish::run) on_change_();
    }
}

/// A batch of every run that is not over; false where all are.
bool LearningWorker::advance() {
    bool more = false;
    const auto start = Clock::now();
    for (const auto& run : runs_) {
        if (run->stage == RunStage::done || run->stage == RunStage::diverged) continue;
        run->stage = RunStage::running;
        run->take(run->trainer.step(std::min(1.0, run->progress())));
        if (!std::isfinite(run->report.loss)) run->stage = RunStage::diverged;
        if (run->progress() >= 1) run->stage = RunStage::done;
        if (run->report.step >= run->next_point) {
            run->curve = std::make_shared<LearningCurve>(*run->curve);
            run->curve->pictures.push_back(static_cast<double>(run->report.pictures));
            run->curve->loss.push_back(run->loss);
            run->curve->accuracy.push_back(run->accuracy);
            // Denser at the beginning, where most happens.
            run->next_point = run->report.step + 1 + run->report.step * 4 / most_points;
        }
        const bool over = run->stage != RunStage::running;
        const bool keep = run->report.step % run->keep_every == 0 || over;
        if (over || seconds_between(run->published, Clock::now()) > publish_seconds) publish(*run, keep);
        more = more || !over;
    }
    // The promise is of the show's time, which runs share.
    const double passed = seconds_between(start, Clock::now());
    for (const auto& run : runs_)
        if (run->stage == RunStage::running) run->seconds += passed;
    return more;
}

void LearningWorker::publish(Run& run, bool keep) {
    auto moment = std::make_shared<LearningMoment>();
    moment->report = run.report;
    moment->loss = run.loss;
    moment->accuracy = run.accuracy;
    moment->seconds = run.seconds;
    moment->model = std::make_shared<Model>(run.trainer.model());
    if (run.stage != RunStage::diverged) look_at_examples(pictures_, *moment);
    const Config& c = moment->model->config;
    if (c.positions) {
        const auto d = static_cast<std::size_t>(c.embedding_dim);
        moment->position_similarity =
            cosine_similarity(moment->model->weights.position.data() + static_cast<std::size_t>(c.token_of(0)) * d,
                              static_cast<std::size_t>(c.patches()), d);
    }
    moment->blocks = flows_of(run.trainer);

    const auto now = Clock::now();
    const std::uint64_t pictures = run.trainer.pictures();
    const double passed = seconds_between(run.published, now);
    if (pictures > run.published_pictures && passed < 10)
        run.speed = static_cast<double>(pictures - run.published_pictures) / std::max(passed, 1e-6);
    run.published = now;
    run.published_pictures = pictures;
    if (keep || run.kept.empty()) {
        run.kept.push_back(moment);
        if (run.kept.size() > most_kept) {  // every other one stays, and the first
            std::vector<std::shared_ptr<const LearningMoment>> thinned;
            for (std::size_t i = 0; i < run.kept.size(); i += 2) thinned.push_back(run.kept[i]);
            run.kept = std::move(thinned);
            run.keep_every *= 2;
        }
    }

    const auto place = static_cast<std::size_t>(
        std::find_if(runs_.begin(), runs_.end(), [&](const auto& r) { return r.get() == &run; }) - runs_.begin());
    {
        const std::lock_guard lock(mutex_);
        RunView& view = views_[place];
        view = {run.recipe, run.stage, std::min(1.0, run.progress()), run.speed, moment, run.kept, run.curve};
        if (view.stage == RunStage::running && wish_ != Wish::run) view.stage = RunStage::paused;
    }
    if (on_change_) on_change_();
}

}  // namespace vitrine
