#include "app/jobs/measuring.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "core/analysis.h"
#include "core/error.h"
#include "core/measures/head_similarity.h"
#include "core/model.h"

namespace vitrine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int filters_shown = 28;  // as in the ViT paper's Fig. 7

/// 0 … 255 from lowest to highest.
std::uint8_t to_byte(float value, float low, float high) {
    const float place = high > low ? (value - low) / (high - low) : 0.5F;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(place, 0.0F, 1.0F)));
}

/// The patches' first three components, each from its least to its most, as red, green and blue.
LevelColours colours_of_level(const Trace& trace, int level, const Config& c) {
    Components components = token_components(c, trace, level);
    auto picture = std::make_shared<Image>();
    picture->width = c.grid_width();
    picture->height = c.grid_height();
    const std::size_t n = components.scores.shape()[0], kept = components.scores.shape()[1];
    picture->rgb.assign(3 * n, 128);
    for (std::size_t k = 0; k < std::min<std::size_t>(3, kept); ++k) {
        float low = components.scores(0, k), high = low;
        for (std::size_t i = 0; i < n; ++i) {
            low = std::min(low, components.scores(i, k));
            high = std::max(high, components.scores(i, k));
        }
        for (std::size_t i = 0; i < n; ++i) picture->rgb[3 * i + k] = to_byte(components.scores(i, k), low, high);
    }
    return {picture, components.explained, std::move(components.scores)};
}

/// A filter's numbers as a picture: grey is 0, each picture to its own largest magnitude.
std::shared_ptr<const Image> picture_of_filter(const float* values, const Config& c) {
    auto picture = std::make_shared<Image>();
    const int side = c.patch_size, area = side * side;
    picture->width = picture->height = side;
    picture->rgb.resize(static_cast<std::size_t>(3) * static_cast<std::size_t>(area));
    float reach = 0;
    for (int i = 0; i < c.patch_dim(); ++i) reach = std::max(reach, std::abs(values[i]));
    for (int pixel = 0; pixel < area; ++pixel)
        for (int channel = 0; channel < 3; ++channel)
            picture->rgb[static_cast<std::size_t>(3 * pixel + channel)] =
                to_byte(values[std::min(channel, c.channels - 1) * area + pixel], -reach, reach);
    return picture;
}

/// What of the choices decides what is measured; the rest only decides how it is shown.
Laboratory needs_of(const Laboratory& lab) {
    Laboratory needs;
    needs.instrument = lab.instrument;
    needs.order = lab.order == HeadOrder::similarity ? lab.order : HeadOrder::block;
    needs.method = lab.method;
    needs.rollout = lab.rollout;
    needs.figure = lab.figure;
    needs.target = lab.target;
    needs.against = lab.against;
    needs.cover_size = lab.cover_size;
    needs.cover = lab.cover;
    return needs;
}

HeadGroups groups_of(const Trace& trace, const Progress& progress) {
    HeadGroups groups{head_divergences(trace, progress), {}, {}};
    groups.order = cluster_order(groups.divergences);
    groups.branch = cluster_branches(groups.divergences, head_groups);
    return groups;
}

/// What of the last measurement holds for a request: all of the run's own, and what was chosen alike.
Measured kept_for(const MeasureRequest& request, const Measured* before) {
    Measured m;
    m.of = request.of;
    m.target = target_of(request.lab, *request.of);
    m.range = request.lab.rollout;
    m.covered = {request.lab.cover_size, request.lab.cover, m.target.index};
    if (before == nullptr) return m;
    if (before->of->model == m.of->model) {
        m.filters = before->filters;
        m.filter_components = before->filter_components;
    }
    if (before->of != m.of) return m;
    m.statistics = before->statistics;
    m.object_share = before->object_share;
    m.groups = before->groups;
    m.lens = before->lens;
    m.ledger = before->ledger;
    m.norms = before->norms;
    m.massive = before->massive;
    m.colours = before->colours;
    if (before->range == m.range) m.rollout = before->rollout;
    const bool same_blocks =
        before->range.first_block == m.range.first_block && before->range.last_block == m.range.last_block;
    if (same_blocks && before->target == m.target) m.relevance = before->relevance;
    if (before->target.index == m.target.index) m.token_lens = before->token_lens;
    if (before->covered == m.covered && before->occlusion && before->occlusion->done == before->occlusion->total)
        m.occlusion = before->occlusion;
    return m;
}

}  // namespace

Target target_of(const Laboratory& lab, const Result& result) {
    const int classes = result.model->config.classes;
    if (classes == 0) return {};
    Target target{lab.target.value_or(top_predictions(*result.trace.head, 1).front().index), lab.against};
    target.index = std::clamp(target.index, 0, classes - 1);
    if (target.against) target.against = std::clamp(*target.against, 0, classes - 1);
    return target;
}

std::optional<std::vector<float>> object_cover(const Result& result) {
    const std::optional<PictureRequest> request = sample_request(result.experiment.image.sample);
    if (!request) return std::nullopt;
    const DrawnPicture drawn = draw_picture(*request);
    if (std::all_of(drawn.object.begin(), drawn.object.end(), [](std::uint8_t seen) { return seen == 0; }))
        return std::nullopt;
    const Config& c = result.model->config;
    const int size = drawn.image.width;
    std::vector<float> cover;
    for (int y = 0; y < c.grid_height(); ++y)
        for (int x = 0; x < c.grid_width(); ++x) {
            // The patch's part of the picture: what the model sees is the crop, squashed.
            const auto place = [&](double low, double high, double part, int of) {
                return std::clamp(static_cast<int>(low + (high - low) * part / of), 0, size);
            };
            const int left = place(result.crop.left, result.crop.right, x, c.grid_width()),
                      right = place(result.crop.left, result.crop.right, x + 1, c.grid_width()),
                      top = place(result.crop.top, result.crop.bottom, y, c.grid_height()),
                      bottom = place(result.crop.top, result.crop.bottom, y + 1, c.grid_height());
            double sum = 0;
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    sum += drawn.object[static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                                        static_cast<std::size_t>(column)];
            cover.push_back(static_cast<float>(sum / 255 / std::max(1, (right - left) * (bottom - top))));
        }
    const Shuffle* const shuffle = shuffle_of(result.experiment.what_ifs);
    if (shuffle == nullptr) return cover;
    std::vector<float> of_tokens;  // which patch stands where
    for (const int patch : shuffled_order(c.patches(), shuffle->seed))
        of_tokens.push_back(cover[static_cast<std::size_t>(patch)]);
    return of_tokens;
}

LaboratoryWorker::LaboratoryWorker(std::function<void()> on_change)
    : on_change_(std::move(on_change)), thread_([this] { run(); }) {}

LaboratoryWorker::~LaboratoryWorker() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
        ++request_number_;
    }
    changed_.notify_all();
    thread_.join();
}

void LaboratoryWorker::request(const MeasureRequest& request) {
    const Laboratory needs = needs_of(request.lab);
    {
        const std::lock_guard lock(mutex_);
        if (requested_ && requested_->of == request.of && requested_->lab == needs) return;
        requested_ = {request.of, needs};
        ++request_number_;
    }
    changed_.notify_all();
}

void LaboratoryWorker::cancel() {
    const std::lock_guard lock(mutex_);
    done_number_ = ++request_number_;
    changed_.notify_all();
}

void LaboratoryWorker::forget() {
    cancel();
    const std::lock_guard lock(mutex_);
    requested_.reset();
}

std::string LaboratoryWorker::take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, {});
}

LaboratoryWorker::State LaboratoryWorker::latest() const {
    const std::lock_guard lock(mutex_);
    State now = latest_;
    now.running = done_number_ != request_number_;
    if (now.running && taken_up_now_) now.seconds = std::chrono::duration<double>(Clock::now() - taken_up_).count();
    return now;
}

void LaboratoryWorker::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_number_ == request_number_; });
}

void LaboratoryWorker::run() {
    omp_set_num_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1));
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return quit_ || done_number_ != request_number_; });
        if (quit_) return;
        const std::uint64_t number = request_number_;
        const MeasureRequest request = *requested_;
        taken_up_ = Clock::now();
        taken_up_now_ = true;
        latest_.fraction = 0;
        lock.unlock();
        std::string failure;
        try {
            measure(request, number);
        } catch (const Cancelled&) {
            // Something newer is wanted, or nothing.
        } catch (const Error& error) {
            failure = error.what();
        } catch (const std::bad_alloc&) {
            failure = "There is not enough memory to measure this; open a smaller model or a smaller image.";
        }
        lock.lock();
        taken_up_now_ = false;
        if (number == request_number_) {
            done_number_ = number;
            failure_ = failure;
        }
        lock.unlock();
        changed_.notify_all();
        if (on_change_) on_change_();
        lock.lock();
    }
}

void LaboratoryWorker::publish(const Measured& measured, std::uint64_t number) {
    {
        const std::lock_guard lock(mutex_);
        if (number != request_number_) throw Cancelled();
        latest_.measured = std::make_shared<Measured>(measured);
    }
    if (on_change_) on_change_();
}

void LaboratoryWorker::measure(const MeasureRequest& request, std::uint64_t number) {
    Measured m = kept_for(request, latest().measured.get());
    const Model& model = *m.of->model;
    const Trace& trace = m.of->trace;
    const std::vector<Intervention>& what_ifs = m.of->experiment.what_ifs;
    const bool classifies = model.config.classes > 0;
    const Progress progress = [&](double fraction) {
        const std::lock_guard lock(mutex_);
        if (number != request_number_) throw Cancelled();
        latest_.fraction = fraction;
    };
    /// Makes a part where it is missing.
    const auto complete = [&](auto& part, auto make) {
        if (part) return;
        part = std::make_shared<std::decay_t<decltype(make())>>(make());
        publish(m, number);
    };
    publish(m, number);
    const Laboratory& lab = request.lab;
    switch (lab.instrument) {
        case Instrument::heads:
        case Instrument::compare:
        case Instrument::statistics:
            complete(m.statistics, [&] { return head_statistics(trace, model.config, progress); });
            if (!m.object_share)
                if (const auto cover = object_cover(*m.of))
                    complete(m.object_share, [&] { return attention_share(trace, *cover); });
            if (lab.instrument == Instrument::heads && lab.order == HeadOrder::similarity)
                complete(m.groups, [&] { return groups_of(trace, progress); });
            break;
        case Instrument::depth:
            if (lab.method == DepthMethod::rollout)
                complete(m.rollout, [&] { return rollout_by_block(trace, m.range, progress); });
            else if (classifies)
                complete(m.relevance, [&] {
                    return relevance_by_block(
                        {model, trace, what_ifs, m.target, m.range.first_block, m.range.last_block}, progress);
                });
            break;
        case Instrument::tokens:
            if (lab.figure == TokenFigure::filters && !m.filters) {
                m.filter_components = std::make_shared<Components>(filter_components(model, filters_shown));
                const Components& components = *m.filter_components;
                complete(m.filters, [&] {
                    std::vector<std::shared_ptr<const Image>> pictures;
                    for (std::size_t k = 0; k < components.explained.size(); ++k)
                        pictures.push_back(picture_of_filter(&components.directions(k, 0), model.config));
                    return pictures;
                });
            }
            if (lab.figure == TokenFigure::norms) {
                complete(m.norms, [&] { return token_norms(model.config, trace); });
                complete(m.massive, [&] { return massive_activations(trace); });
            }
            if (lab.figure == TokenFigure::components)
                complete(m.colours, [&] {
                    std::vector<LevelColours> levels;
                    for (int level = 0; level <= model.config.blocks; ++level) {
                        report(progress, static_cast<double>(level) / (model.config.blocks + 1));
                        levels.push_back(colours_of_level(trace, level, model.config));
                    }
                    return levels;
                });
            break;
        case Instrument::lens:
            if (!classifies) break;
            complete(m.lens, [&] { return logit_lens(model, trace); });
            complete(m.token_lens, [&] { return token_lens(model, trace, m.target.index, progress); });
            break;
        case Instrument::ledger:
            if (classifies) complete(m.ledger, [&] { return logit_ledger(model, trace, what_ifs); });
            break;
        case Instrument::occlusion:
            if (!classifies || m.occlusion) break;
            occlusion(
                {model, trace.embedding->image, what_ifs, m.covered},
                [&](const OcclusionMap& map) {
                    m.occlusion = std::make_shared<OcclusionMap>(map);
                    publish(m, number);
                },
                progress);
            break;
    }
}

}  // namespace vitrine
