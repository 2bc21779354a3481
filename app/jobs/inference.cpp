#include "app/jobs/inference.h"

#include <omp.h>

#include <algorithm>

#include "core/analysis.h"
#include "core/error.h"
#include "core/forward.h"

namespace vitrine {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Cosine similarity of the patches' position embeddings; the class token's has no place on the grid.
Tensor2 similarity_of_positions(const Model& model) {
    const Parameter& position = model.weights.position;
    const Config& c = model.config;
    const std::size_t features = position.shape()[1];
    return cosine_similarity(position.data() + static_cast<std::size_t>(c.token_of(0)) * features,
                             static_cast<std::size_t>(c.patches()), features);
}

constexpr int batch_images = 4;
constexpr std::size_t batch_tokens = 5, batch_features = 6;

/// The first tokens and features of z₀ for the image and some samples: a batch to compare norms on.
Tensor3 corner_of_batch(const Result& result) {
    const Model& model = *result.model;
    const Tensor2& own = result.baseline.embedding->z;
    const std::size_t tokens = std::min(batch_tokens, own.shape()[0]),
                      features = std::min(batch_features, own.shape()[1]);
    Tensor3 corner = tensor3(batch_images, tokens, features);
    const auto copy = [&](int image, const Tensor2& z) {
        for (std::size_t t = 0; t < tokens; ++t)
            std::copy_n(&z(t, 0), features, &corner(static_cast<std::size_t>(image), t, 0));
    };
    copy(0, own);
    const std::vector<std::string> names = sample_names();
    int image = 1;
    for (std::size_t i = 0; i < names.size() && image < batch_images; ++i) {
        if (names[i] == result.experiment.image.sample) continue;
        const auto sample = open_image({names[i], {}});
        copy(image++, embed(model, preprocess(sample->full, model.preprocessing, model.config).pixels).z);
    }
    return corner;
}

/// What the model sees with its patches where a shuffle puts them.
std::shared_ptr<const Image> in_order_of_tokens(const Result& result) {
    const Shuffle* const shuffle = shuffle_of(result.experiment.what_ifs);
    if (shuffle == nullptr) return result.seen;
    const Config& c = result.model->config;
    const std::vector<int> order = shuffled_order(c.patches(), shuffle->seed);
    const auto place = std::make_shared<Image>(*result.seen);
    const int side = c.patch_size, columns = c.grid_width();
    const auto pixel = [&](int patch, int row) {
        return static_cast<std::ptrdiff_t>((patch / columns * side + row) * place->width + patch % columns * side) * 3;
    };
    for (int i = 0; i < c.patches(); ++i)
        for (int row = 0; row < side; ++row)
            std::copy_n(result.seen->rgb.begin() + pixel(order[static_cast<std::size_t>(i)], row), side * 3,
                        place->rgb.begin() + pixel(i, row));
    return place;
}

}  // namespace

InferenceWorker::InferenceWorker(std::function<void()> on_change)
    : on_change_(std::move(on_change)), thread_([this] { run(); }) {}

InferenceWorker::~InferenceWorker() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
        ++request_number_;
    }
    changed_.notify_all();
    thread_.join();
}

void InferenceWorker::request(const Experiment& experiment) {
    {
        const std::lock_guard lock(mutex_);
        if (requested_ == experiment) return;
        requested_ = experiment;
        ++request_number_;
    }
    changed_.notify_all();
}

void InferenceWorker::cancel() {
    const std::lock_guard lock(mutex_);
    requested_ = latest_.result ? std::optional(latest_.result->experiment) : std::nullopt;
    ++request_number_;
    changed_.notify_all();
}

Snapshot InferenceWorker::latest() const {
    const std::lock_guard lock(mutex_);
    Snapshot now = latest_;
    if (now.activity.stage != Stage::idle) now.activity.seconds = milliseconds_since(taken_up_) / 1000;
    return now;
}

void InferenceWorker::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_number_ == request_number_; });
}

void InferenceWorker::run() {
    // One core stays free, so that the window keeps its pace while a large model runs.
    omp_set_num_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1));
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return quit_ || done_number_ != request_number_; });
        if (quit_) return;
        const std::uint64_t number = request_number_;
        const std::optional<Experiment> experiment = requested_;
        taken_up_ = Clock::now();
        lock.unlock();
        std::shared_ptr<const Failure> failure;
        try {
            if (experiment) carry_out(*experiment, number);
        } catch (const Cancelled&) {
            // A newer request is waiting, or none is wanted.
        } catch (const Error& error) {
            failure = std::make_shared<Failure>(Failure{*experiment, error.what()});
        } catch (const std::bad_alloc&) {
            failure = std::make_shared<Failure>(
                Failure{*experiment, "There is not enough memory for this image and model; open a smaller one."});
        }
        lock.lock();
        done_number_ = number;
        latest_.activity = {};
        if (number == request_number_) latest_.failure = failure;
        lock.unlock();
        changed_.notify_all();
        if (on_change_) on_change_();
        lock.lock();
    }
}

void InferenceWorker::enter(Stage stage, std::uint64_t number) {
    {
        const std::lock_guard lock(mutex_);
        if (number != request_number_) throw Cancelled();
        latest_.activity = {stage, 0, 0};
    }
    if (on_change_) on_change_();
}

void InferenceWorker::publish_progress(double fraction, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (number != request_number_) throw Cancelled();
    latest_.activity.fraction = fraction;
}

Progress InferenceWorker::progress_for(std::uint64_t number) {
    return [this, number](double fraction) { publish_progress(fraction, number); };
}

void InferenceWorker::carry_out(const Experiment& experiment, std::uint64_t number) {
    const std::shared_ptr<const Result> before = latest().result;
    const auto result = std::make_shared<Result>();
    result->experiment = experiment;
    const bool same_model = before && before->experiment.model == experiment.model;
    const bool same_image = before && before->experiment.image == experiment.image;

    if (same_image) {
        result->image = before->image;
        result->gradient_flows = before->gradient_flows;
    } else {
        enter(Stage::loading_image, number);
        result->image = open_image(experiment.image, progress_for(number));
        result->gradient_flows = std::make_shared<std::vector<GradientFlow>>(gradient_flows(*result->image->display));
    }
    if (same_model) {
        result->model = before->model;
        result->position_similarity = before->position_similarity;
    } else {
        enter(Stage::loading_model, number);
        memory_pool::trim();
        result->model = open_model(experiment.model, progress_for(number));
        result->position_similarity = std::make_shared<Tensor2>(similarity_of_positions(*result->model));
    }
    if (same_model && same_image) {
        result->seen = before->seen;
        result->crop = before->crop;
        result->baseline = before->baseline;
        result->batch = before->batch;
        result->baseline_skip_ratios = before->baseline_skip_ratios;
        result->preprocess_ms = before->preprocess_ms;
        result->forward_ms = before->forward_ms;
    } else {
        enter(Stage::preprocessing, number);
        auto start = Clock::now();
        const Model& model = *result->model;
        Preprocessed input = preprocess(result->image->full, model.preprocessing, model.config, progress_for(number));
        result->preprocess_ms = milliseconds_since(start);
        result->seen = std::make_shared<Image>(std::move(input.seen));
        result->crop = {input.left, input.top, input.right, input.bottom};
        enter(Stage::running, number);
        start = Clock::now();
        result->baseline = forward(model, std::move(input.pixels), progress_for(number));
        result->forward_ms = milliseconds_since(start);
    }
    enter(Stage::running, number);
    if (!result->batch) result->batch = std::make_shared<Tensor3>(corner_of_batch(*result));
    result->patched = in_order_of_tokens(*result);
    result->trace = what_if(*result->model, result->baseline, experiment.what_ifs, progress_for(number));
    if (result->baseline_skip_ratios.empty()) result->baseline_skip_ratios = skip_ratios(result->baseline);
    result->skip_ratios = experiment.what_ifs.empty() ? result->baseline_skip_ratios : skip_ratios(result->trace);

    const std::lock_guard lock(mutex_);
    if (number == request_number_) latest_.result = result;
}

}  // namespace vitrine
