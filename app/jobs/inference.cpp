#include "app/jobs/inference.h"

#include <algorithm>
#include <chrono>

#include "app/jobs/comparing_words.h"
#include "app/library/library.h"
#include "app/library/mean_patches.h"
#include "app/library/samples.h"
#include "app/library/source_words.h"
#include "app/workspace/words_beside.h"
#include "core/base/clock.h"
#include "core/measures/analysis.h"
#include "core/measures/position_similarity.h"
#include "core/measures/weight_agreement.h"
#include "core/training/gradient_flow.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/edits.h"
#include "core/transformer/equations.h"
#include "core/vit/embedding.h"
#include "core/vit/forward.h"
#include "core/vit/patch_covers.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

/// The samples from the model's own set.
std::vector<ImageSource> own_samples(const Model& model) {
    const PictureSet set = pictures_of(model);
    std::vector<ImageSource> sources;
    for (const std::string& name : sample_names(set)) sources.push_back(with_set({name, {}}, set.scenes));
    return sources;
}

constexpr int batch_images = 4;

/// z₀ of the image and some samples: a batch for comparing norms.
Tensor3 batch_of_images(const Result& result) {
    const Model& model = *result.model;
    const Tensor2& own = result.baseline.embedding->z;
    Tensor3 batch = tensor3(batch_images, own.shape()[0], own.shape()[1]);
    const auto copy = [&](int image, const Tensor2& z) {
        std::copy(z.begin(), z.end(), &batch(static_cast<std::size_t>(image), 0, 0));
    };
    copy(0, own);
    int image = 1;
    for (const ImageSource& source : own_samples(model)) {
        if (image == batch_images) break;
        if (source == result.image->source) continue;
        const auto sample = open_image(source);
        copy(image++, embed(model, preprocess(sample->full, model.preprocessing, model.config).pixels).z);
    }
    return batch;
}

/// The model's input as a picture, with these covers over its patches.
std::shared_ptr<const Image> under_covers(const Result& result, const std::vector<CoverPatches>& covers) {
    const Preprocessing& p = result.model->preprocessing;
    const Image& seen = *result.seen;
    const auto area = static_cast<std::size_t>(seen.width) * static_cast<std::size_t>(seen.height);
    Tensor3 pixels = tensor3(3, static_cast<std::size_t>(seen.height), static_cast<std::size_t>(seen.width));
    // Covers expect pixels minus the colour that becomes 0.
    const auto grey = [&](std::size_t colour) {
        const double mean = p.mean.at(std::min(colour, p.mean.size() - 1));
        return static_cast<float>((mean - p.rescale_offset) / p.rescale_factor);
    };
    for (std::size_t colour = 0; colour < 3; ++colour)
        for (std::size_t i = 0; i < area; ++i)
            pixels.data()[colour * area + i] = static_cast<float>(seen.rgb[i * 3 + colour]) - grey(colour);
    pixels = covered(pixels, result.model->config, covers);
    auto image = std::make_shared<Image>(seen);
    for (std::size_t colour = 0; colour < 3; ++colour)
        for (std::size_t i = 0; i < area; ++i)
            image->rgb[i * 3 + colour] = static_cast<std::uint8_t>(
                std::clamp(std::lround(pixels.data()[colour * area + i] + grey(colour)), 0L, 255L));
    return image;
}

/// The model's input under the covers of what-ifs, with its patches in the order of the tokens, which a shuffle
/// changes.
std::shared_ptr<const Image> as_the_model_sees_it(const Result& result) {
    const Config& c = result.model->config;
    const Equations equations = equations_of(c, result.experiment.what_ifs);
    const std::shared_ptr<const Image> seen =
        equations.covers.empty() ? result.seen : under_covers(result, equations.covers);
    const std::vector<int> order = equations.order(c.patches());
    if (order.empty()) return seen;
    const auto place = std::make_shared<Image>(*seen);
    const int side = c.patch_size, columns = c.grid_width();
    const auto pixel = [&](int patch, int row) {
        return static_cast<std::ptrdiff_t>((patch / columns * side + row) * place->width + patch % columns * side) * 3;
    };
    for (int i = 0; i < c.patches(); ++i)
        for (int row = 0; row < side; ++row)
            std::copy_n(seen->rgb.begin() + pixel(order[static_cast<std::size_t>(i)], row), side * 3,
                        place->rgb.begin() + pixel(i, row));
    return place;
}

/// The sample whose readout is compared with that of the picture.
ImageSource other_sample(const Result& result) {
    const std::vector<ImageSource> sources = own_samples(*result.model);
    return sources[sources[0] == result.image->source ? 1 : 0];
}

using Inferring = Latest<InferenceRequest, Result, Failure>::Run;

/// True if a result's model has the weights of the requested one, and its files have not changed since.
bool still_holds_weights(const Result& before, const ModelSource& asked) {
    const ModelSource& had = before.experiment.model;
    return had.same_weights(asked) && (had.reload == asked.reload || !changed_on_disk(*before.model));
}
/// True if the result's model also has the requested settings.
bool still_holds(const Result& before, const ModelSource& asked) {
    return before.experiment.model.same_model(asked) && still_holds_weights(before, asked);
}

/// True if a result's image is the requested one, and its file has not changed since; a drawn image never changes.
bool still_holds(const Result& before, const ImageSource& asked) {
    const bool same = before.image->source.same_image(asked);
    return same && (before.experiment.image.reload == asked.reload || !changed_on_disk(*before.image));
}

/// Other results, whose parts are shared where they would be equal.
struct Alike {
    std::vector<std::shared_ptr<const Result>> all;  // the workspace's own result first

    template <class Holds>
    const Result* find(Holds holds) const {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& result) { return holds(*result); });
        return found == all.end() ? nullptr : found->get();
    }
};

void enter(Inferring& run, Stage stage) { run.enter(static_cast<int>(stage)); }

void take_image(Inferring& run, const Alike& alike, const ImageSource& wanted, Result& result) {
    const auto same = [&](const Result& r) { return still_holds(r, wanted) && r.colours == result.colours; };
    if (const Result* const other = alike.find(same)) {
        result.image = other->image;
        return;
    }
    enter(run, Stage::loading_image);
    result.image = open_image(wanted, run.progress(), result.colours);
}

void take_model(Inferring& run, const Alike& alike, Result& result) {
    const ModelSource& wanted = run.request().model;
    if (const Result* const other = alike.find([&](const Result& r) { return still_holds(r, wanted); })) {
        result.model = other->model;
        result.position_similarity = other->position_similarity;
        return;
    }
    enter(run, Stage::loading_model);
    memory_pool::trim();
    const Result* const same_weights = alike.find([&](const Result& r) { return still_holds_weights(r, wanted); });
    result.model = same_weights ? with_settings_of(wanted, same_weights->model) : open_model(wanted, run.progress());
    require_memory_for_matrices(*result.model, 1, "comparing its positions");
    result.position_similarity = std::make_shared<Tensor2>(position_similarity(*result.model));
}

/// Computes the means over sets of images that the what-ifs use.
void take_means(Inferring& run, const Alike& alike, Result& result) {
    for (const std::shared_ptr<const Result>& other : alike.all)
        if (other->model == result.model && other->colours == result.colours)
            result.mean_patches.insert(other->mean_patches.begin(), other->mean_patches.end());
    const auto needs_mean = [](Intervention& i) { return needed_mean(i.edit).has_value(); };
    if (std::ranges::none_of(result.experiment.what_ifs, needs_mean)) return;
    enter(run, Stage::running);
    fill_in_means(result.experiment.what_ifs, *result.model, result.colours, result.mean_patches, run.progress());
}

/// The memory budget for the runs, shared by all runs of a model; none if all blocks are kept.
std::optional<BlockBudget> budget_for(const Alike& alike, const Result& result) {
    const auto shares = [&](const Result& r) {
        return r.model == result.model && r.memory == result.memory && r.baseline.budget;
    };
    if (const Result* const other = alike.find(shares)) return other->baseline.budget;
    const RunMemory memory = run_memory_of(result.memory).value_or(RunMemory());
    const std::optional<int> kept = blocks_in(*result.model, memory, shown_run);
    if (!kept) return {};
    BlockBudget budget = budget_of(result.model, *kept);
    budget.firm = memory.kind == RunMemory::Kind::amount;
    return budget;
}

/// Computes or shares the pass without what-ifs, and its measures.
void take_baseline(Inferring& run, const Alike& alike, Result& result) {
    const auto same = [&](const Result& r) {
        return r.model == result.model && r.image == result.image && r.memory == result.memory;
    };
    if (const Result* const other = alike.find(same)) {
        result.seen = other->seen;
        result.crop = other->crop;
        result.baseline = other->baseline;
        result.baseline_skip_ratios = other->baseline_skip_ratios;
        result.baseline_measures = other->baseline_measures;
        result.preprocess_ms = other->preprocess_ms;
        result.forward_ms = other->forward_ms;
        return;
    }
    enter(run, Stage::preprocessing);
    auto start = Clock::now();
    const Model& model = *result.model;
    Preprocessed input = preprocess(result.image->full, model.preprocessing, model.config, run.progress());
    result.preprocess_ms = milliseconds_since(start);
    result.seen = std::make_shared<Image>(std::move(input.seen));
    result.crop = {input.left, input.top, input.right, input.bottom};
    enter(run, Stage::running);
    start = Clock::now();
    const std::optional<BlockBudget> budget = budget_for(alike, result);
    result.baseline = budget ? forward_within(*budget, std::move(input.pixels), run.progress())
                             : Runs{result.model}.run(std::move(input.pixels), run.progress());
    result.forward_ms = milliseconds_since(start);
    result.baseline_skip_ratios = skip_ratios(result.baseline);
    result.baseline_measures = picture_measures(model.config, result.baseline, run.progress());
}

/// Computes or shares the pass with what-ifs.
void take_trace(Inferring& run, const Alike& alike, Result& result) {
    const std::vector<Intervention>& what_ifs = result.experiment.what_ifs;
    const auto same = [&](const Result& r) {
        return r.baseline.embedding == result.baseline.embedding && r.experiment.what_ifs == what_ifs;
    };
    if (const Result* const other = alike.find(same)) {
        result.patched = other->patched;
        result.trace = other->trace;
        result.measures = other->measures;
        result.skip_ratios = other->skip_ratios;
        return;
    }
    enter(run, Stage::running);
    result.patched = as_the_model_sees_it(result);
    if (!result.baseline.budget) require_memory_for_what_if(*result.model, what_ifs);
    result.trace = what_if(*result.model, result.baseline, what_ifs, run.progress());
    result.measures = picture_measures(result.model->config, result.trace,
                                       MeasuredRun{result.baseline, result.baseline_measures}, run.progress());
    result.skip_ratios = what_ifs.empty() ? result.baseline_skip_ratios : skip_ratios(result.trace);
}

std::shared_ptr<const OtherPicture> other_picture(Inferring& run, const Result& result, const ImageSource& sample) {
    const Model& model = *result.model;
    const auto picture = open_image(sample);
    Tensor3 pixels = preprocess(picture->full, model.preprocessing, model.config).pixels;
    return std::make_shared<OtherPicture>(
        OtherPicture{class_of_sample(sample.sample),
                     course_of_readout(model, std::move(pixels), run.progress(), result.experiment.what_ifs)});
}

/// Compares the texts with the image, if requested. Parts that depend on the model alone are shared.
void take_words(Inferring& run, const Alike& alike, Result& result) {
    const std::string& typed = run.request().texts;
    const auto is_same = [&](const Result& r) {
        return r.words && r.words->typed == typed && r.trace.head == result.trace.head;
    };
    if (const Result* const other = alike.find(is_same)) {
        result.words = other->words;
    } else if (run.request().beside.words) {
        const Result* const beside =
            alike.find([&](const Result& r) { return r.words && r.words->tower && r.model == result.model; });
        result.words =
            words_beside({result, typed, own_samples(*result.model), beside ? beside->words : nullptr}, run.progress());
    }
}

/// Computes or shares the trial of a map's brightest patch, if it is requested.
void take_trial(Inferring& run, const Alike& alike, Result& result) {
    const std::optional<PlacedMap>& map = run.request().beside.trial;
    if (!map || !can_be_tried(*map, result.model->config)) return;
    if (const Result* const other = alike.find([&](const Result& r) {
            return r.trial && r.trial->map == *map && r.baseline.embedding == result.baseline.embedding;
        })) {
        result.trial = other->trial;
        return;
    }
    enter(run, Stage::running);
    if (!result.baseline.budget) require_memory_for_what_if(*result.model, std::vector{remove_token(map->query)});
    WeightTrial trial = weight_trial(*result.model, result.baseline, *map, run.progress());
    // The drops are the same for every map of a run.
    if (const Result* const other = alike.find([&](const Result& r) {
            return r.trial && r.trial->drops && r.baseline.embedding == result.baseline.embedding;
        }))
        trial.drops = other->trial->drops;
    else if (can_try_every_token(result.model->config))
        trial.drops =
            std::make_shared<std::vector<float>>(margin_drops(*result.model, result.baseline, run.progress()));
    result.trial = std::make_shared<WeightTrial>(std::move(trial));
}

/// Computes the extra results requested. Those in other results are shared in any case, since that costs nothing.
void take_beside(Inferring& run, const Alike& alike, Result& result) {
    const ImageSource sample = other_sample(result);
    const std::string name = class_of_sample(sample.sample);
    const ExtraResults& wanted = run.request().beside;
    if (const Result* const r = alike.find(
            [&](const Result& other) { return other.batch && other.baseline.embedding == result.baseline.embedding; }))
        result.batch = r->batch;
    else if (wanted.batch)
        result.batch = std::make_shared<Tensor3>(batch_of_images(result));
    if (const Result* const r = alike.find([&](const Result& other) {
            return other.other && other.model == result.model && other.other->sample == name &&
                   other.experiment.what_ifs == result.experiment.what_ifs;
        }))
        result.other = r->other;
    else if (wanted.other)
        result.other = other_picture(run, result, sample);
    if (const Result* const r =
            alike.find([&](const Result& other) { return other.gradient_flows && other.image == result.image; }))
        result.gradient_flows = r->gradient_flows;
    else if (wanted.gradient_flows)
        result.gradient_flows = std::make_shared<std::vector<GradientFlow>>(gradient_flows(*result.image->display));
    take_words(run, alike, result);
    take_trial(run, alike, result);
}

void carry_out(Inferring& run) {
    const Alike alike{run.results()};
    const auto result = std::make_shared<Result>();
    result->experiment = run.request();
    result->memory = run.request().memory;
    result->colours = run.request().colours;
    const ImageSource& wanted = result->experiment.image;
    const bool drawn = wanted.path.empty();  // from the model's own set; a file is read before a large model
    if (!drawn) take_image(run, alike, wanted, *result);
    take_model(run, alike, *result);
    if (drawn) take_image(run, alike, with_set(wanted, pictures_of(*result->model).scenes), *result);
    take_baseline(run, alike, *result);
    take_means(run, alike, *result);
    take_trace(run, alike, *result);
    take_beside(run, alike, *result);
    run.publish(result);
}

}  // namespace

Inference::Inference(std::function<void()> on_change) : job_(carry_out, std::move(on_change)) {}

void Inference::request(int workspace, const Experiment& experiment, Asking asking, const ExtraResults& beside) {
    InferenceRequest& asked = asked_[workspace];
    const bool same = static_cast<const Experiment&>(asked) == experiment;
    const ExtraResults wanted = same ? asked.beside | beside : beside;
    asked = {experiment, wanted, memory_, colours_, beside.words ? texts_[workspace] : same ? asked.texts : ""};
    job_.request(workspace, asked, asking);
}

void Inference::give(int workspace, std::shared_ptr<const Result> result) {
    asked_[workspace] = {result->experiment, result->beside(), result->memory, result->colours,
                         result->words ? result->words->typed : ""};
    job_.give(workspace, asked_[workspace], std::move(result));
}

void Inference::cancel(int workspace) {
    const std::shared_ptr<const Result> shown = job_.latest(workspace).result;
    if (shown)
        asked_[workspace] = {shown->experiment, shown->beside(), memory_, colours_,
                             shown->words ? shown->words->typed : ""};
    job_.cancel(workspace, shown ? std::make_shared<const InferenceRequest>(asked_[workspace]) : nullptr);
}

void Inference::forget(int workspace) {
    asked_.erase(workspace);
    texts_.erase(workspace);
    job_.forget(workspace);
}

Snapshot Inference::latest(int workspace) const {
    const auto now = job_.latest(workspace);
    const Stage stage = !now.running ? Stage::idle : now.stage == 0 ? Stage::waiting : static_cast<Stage>(now.stage);
    return {now.result, now.failure, {stage, now.fraction, now.seconds}};
}

}  // namespace vitrine
