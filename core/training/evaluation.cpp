#include "core/training/evaluation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>

#include "core/base/error.h"
#include "core/base/team.h"
#include "core/measures/attention_measures.h"
#include "core/measures/lens.h"
#include "core/measures/rollout.h"
#include "core/training/confidence.h"
#include "core/training/picture_stream.h"
#include "core/training/pixels.h"
#include "core/training/recipe.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

constexpr int attention_pictures = 600;  // pictures for measuring attention, which costs more than classifying

/// The share of each patch covered by thing, distractor and occluder, 0 … 1.
struct PatchCover {
    std::vector<double> object, distractor, occluder;
};

std::vector<double> cover_of(const std::vector<std::uint8_t>& mask, const Config& c) {
    std::vector<double> cover(static_cast<std::size_t>(c.patches()), 0);
    const double all = 255.0 * c.patch_size * c.patch_size;
    for (int y = 0; y < c.image_height; ++y)
        for (int x = 0; x < c.image_width; ++x) {
            const auto patch = static_cast<std::size_t>(y / c.patch_size * c.grid_width() + x / c.patch_size);
            cover[patch] += mask[static_cast<std::size_t>(y * c.image_width + x)] / all;
        }
    return cover;
}

/// The main content of a patch: whatever covers at least half of it.
enum class Ground { object, occluder, distractor, background };
constexpr std::size_t grounds = 4;
Ground ground_of(const PatchCover& cover, std::size_t patch) {
    if (cover.object[patch] >= 0.5) return Ground::object;
    if (cover.occluder[patch] >= 0.5) return Ground::occluder;
    return cover.distractor[patch] >= 0.5 ? Ground::distractor : Ground::background;
}

/// Sums over pictures, from which the means are computed.
struct MapSums {
    double object = 0;                           // share of each map on the pixels of things
    std::array<double, grounds> on_ground = {};  // share of each map on patches, by Ground
    double pointed = 0;

    void add(const std::vector<float>& map, const PatchCover& cover) {
        double all = 0;
        for (const float m : map) all += static_cast<double>(m);
        std::size_t best = 0;
        for (std::size_t i = 0; i < map.size(); ++i) {
            const double mass = static_cast<double>(map[i]) / all;
            object += mass * cover.object[i];
            on_ground[static_cast<std::size_t>(ground_of(cover, i))] += mass;
            if (map[i] > map[best]) best = i;
        }
        pointed += cover.object[best] >= 0.25 ? 1 : 0;
    }

    void add(const MapSums& other) {
        object += other.object;
        for (std::size_t i = 0; i < on_ground.size(); ++i) on_ground[i] += other.on_ground[i];
        pointed += other.pointed;
    }
};

struct Sums {
    int count = 0;
    std::vector<std::vector<int>> confusion;
    int with_object = 0;  // pictures on which the maps were measured
    double object_area = 0, divergence = 0;
    std::array<double, grounds> ground_area = {};  // area of the patches, by Ground
    MapSums last, rollout, untrained, saliency;
    int with_heads = 0;
    std::vector<double> entropy, distance;  // (L·h)
    std::vector<double> lens;               // (L + 1)

    explicit Sums(const Config& c)
        : confusion(static_cast<std::size_t>(c.classes), std::vector<int>(static_cast<std::size_t>(c.classes), 0)),
          entropy(static_cast<std::size_t>(c.blocks * c.heads), 0.0),
          distance(entropy),
          lens(static_cast<std::size_t>(c.blocks) + 1, 0.0) {}

    void add(const Sums& other) {
        count += other.count;
        with_object += other.with_object;
        with_heads += other.with_heads;
        object_area += other.object_area;
        for (std::size_t i = 0; i < ground_area.size(); ++i) ground_area[i] += other.ground_area[i];
        divergence += other.divergence;
        last.add(other.last);
        rollout.add(other.rollout);
        untrained.add(other.untrained);
        saliency.add(other.saliency);
        const auto plus = [](std::vector<double>& sum, const std::vector<double>& more) {
            std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>());
        };
        plus(entropy, other.entropy);
        plus(distance, other.distance);
        plus(lens, other.lens);
        for (std::size_t i = 0; i < confusion.size(); ++i)
            std::transform(confusion[i].begin(), confusion[i].end(), other.confusion[i].begin(), confusion[i].begin(),
                           std::plus<>());
    }
};

std::vector<float> patches_alone(const Config& c, const std::vector<float>& row) {
    const std::span<const float> patches = c.patches_of(row);
    return {patches.begin(), patches.end()};
}

/// A saliency map without any network: each patch's contrast times the distance of its colour from the picture's mean.
std::vector<float> plain_saliency(const Image& image, const Config& c) {
    const auto patches = static_cast<std::size_t>(c.patches());
    std::vector<double> sum(patches * 3, 0), squares(patches * 3, 0);
    double mean[3] = {};
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto patch = static_cast<std::size_t>(y / c.patch_size * c.grid_width() + x / c.patch_size);
            for (std::size_t k = 0; k < 3; ++k) {
                const double v = image.rgb[static_cast<std::size_t>(y * image.width + x) * 3 + k] / 255.0;
                sum[patch * 3 + k] += v;
                squares[patch * 3 + k] += v * v;
                mean[k] += v / (image.width * image.height);
            }
        }
    const double pixels = c.patch_size * c.patch_size;
    std::vector<float> saliency;
    for (std::size_t i = 0; i < patches; ++i) {
        double variance = 0, away = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double m = sum[i * 3 + k] / pixels;
            variance += std::max(0.0, squares[i * 3 + k] / pixels - m * m);
            away += (m - mean[k]) * (m - mean[k]);
        }
        saliency.push_back(static_cast<float>(std::sqrt(variance * away)));
    }
    return saliency;
}

/// The subject of an evaluation: a model, an untrained one of the same shape, and the pictures of its classes.
struct Subject {
    const Model& model;
    Model untrained;
    PictureSet set;
};

Tensor3 pixels_for(const DrawnPicture& picture, const Model& model) {
    return normalised({picture.image.rgb.data()}, model);
}

void measure_attention(const Subject& subject, const DrawnPicture& picture, const Trace& trace, Sums& s) {
    const Config& c = subject.model.config;
    for (int block = 1; block <= c.blocks; ++block) {
        const auto b = trace.block(block);
        for (int head = 0; head < c.heads; ++head) {
            const auto i = static_cast<std::size_t>((block - 1) * c.heads + head);
            s.entropy[i] += mean_attention_entropy(*b, head);
            s.distance[i] += mean_attention_distance(*b, head, c);
        }
    }
    s.divergence += mean_head_divergence(*trace.block(c.blocks));
    ++s.with_heads;
    if (picture.label == class_numbers(subject.set.scenes).nothing) return;

    const PatchCover cover{cover_of(picture.object, c), cover_of(picture.distractor, c), cover_of(picture.occluder, c)};
    for (std::size_t i = 0; i < cover.object.size(); ++i) {
        s.object_area += cover.object[i] / c.patches();
        s.ground_area[static_cast<std::size_t>(ground_of(cover, i))] += 1.0 / c.patches();
    }
    const auto last_row = [&](const Trace& of) {
        return patches_alone(c, mean_readout_row(*of.block(c.blocks), readout_shares(c, *of.head)));
    };
    s.last.add(last_row(trace), cover);
    s.rollout.add(patches_alone(c, rollout_of_readout(c, *trace.head, attention_rollout(trace), {})), cover);
    const Trace before = forward_in_passing(subject.untrained, pixels_for(picture, subject.untrained));
    s.untrained.add(last_row(before), cover);
    s.saliency.add(plain_saliency(picture.image, c), cover);
    ++s.with_object;
}

void measure(const Model& model, const DrawnPicture& picture, const Trace& trace, Sums& s) {
    const auto label = static_cast<std::size_t>(picture.label);
    const float* const logits = trace.head->logits.data();
    const auto said = static_cast<std::size_t>(std::max_element(logits, logits + model.config.classes) - logits);
    ++s.count;
    ++s.confusion[label][said];
    const Tensor2 probabilities = softmax(logit_lens(model, trace));
    for (std::size_t l = 0; l < s.lens.size(); ++l) s.lens[l] += static_cast<double>(probabilities(l, label));
}

AttentionQuality quality_of(const MapSums& map, const Sums& s) {
    const double pictures = std::max(1, s.with_object);
    const auto density = [&](Ground ground) {
        const auto i = static_cast<std::size_t>(ground);
        return s.ground_area[i] > 0 ? map.on_ground[i] / s.ground_area[i] : 0;
    };
    return {.object_mass = map.object / pictures,
            .mass_ratio = map.object / s.object_area,
            .object_density = density(Ground::object),
            .distractor_density = density(Ground::distractor),
            .occluder_density = density(Ground::occluder),
            .background_density = density(Ground::background),
            .pointing = map.pointed / pictures};
}

/// The picture set with the model's classes.
PictureSet set_of(const Model& model) {
    if (const auto set = set_with_classes(model.config.labels)) return *set;
    throw Error(
        model.provenance.name +
        ": its classes are not those of the pictures that Vitrine draws; evaluate a model that 'vitrine train' made");
}

/// An untrained model of the same shape, with its initial attention.
Model untrained_like(const Model& model) {
    Recipe recipe;
    recipe.model = model.config;
    return untrained_model(recipe);
}

/// Answers for the pictures of one difficulty; every thread writes only its own pictures' entries.
struct Answers {
    std::vector<Answer> answers;
    std::vector<int> labels;
    std::vector<char> decided;  // whether removing one head changed the answer's probability by `decisive_change`

    Answers(int count, int ablated)
        : answers(static_cast<std::size_t>(count)),
          labels(static_cast<std::size_t>(count)),
          decided(static_cast<std::size_t>(std::min(count, ablated))) {}
};

void note_answer(const Subject& subject, const DrawnPicture& picture, const Trace& trace, std::size_t i,
                 Answers& said) {
    const float* const p = trace.head->probabilities.data();
    const auto best = std::max_element(p, p + subject.model.config.classes) - p;
    said.answers[i] = {static_cast<double>(p[best]), best == picture.label};
    said.labels[i] = picture.label;
    if (i < said.decided.size())
        said.decided[i] = change_by_one_head(subject.model, trace, decisive_change) >= decisive_change ? 1 : 0;
}

AnswerQuality quality_of(const Answers& said, const Subject& subject, Difficulty difficulty) {
    const auto share = [](double part, double of) { return of > 0 ? part / of : 0; };
    double right = 0, pairs = 0, right_pairs = 0;
    for (std::size_t i = 0; i < said.answers.size(); ++i) {
        const bool pair = said.labels[i] > class_numbers(subject.set.scenes).nothing;
        right += said.answers[i].right ? 1 : 0;
        pairs += pair ? 1 : 0;
        right_pairs += pair && said.answers[i].right ? 1 : 0;
    }
    const auto decided = std::count(said.decided.begin(), said.decided.end(), 1);
    return {.difficulty = difficulty,
            .count = static_cast<int>(said.answers.size()),
            .accuracy = share(right, static_cast<double>(said.answers.size())),
            .calibration_error = calibration_error(said.answers),
            .median_top_probability = median_top_probability(said.answers),
            .decisive_heads = share(static_cast<double>(decided), static_cast<double>(said.decided.size())),
            .same_different = share(right_pairs, pairs)};
}

/// Runs the model on the pictures of one difficulty; for normal ones, adds the measures of its inner states to `all`.
AnswerQuality evaluate_difficulty(const Subject& subject, const EvaluationRequest& request, Difficulty difficulty,
                                  Sums& all) {
    PictureSet set = subject.set;
    set.difficulty = difficulty;
    set = fresh_pictures(set, request.seed + 1);
    const int size = subject.model.config.image_height;
    const std::shared_ptr<const Model> model(std::shared_ptr<const void>(), &subject.model);
    Answers said(request.count, request.ablated);
    std::mutex mutex;
    std::atomic<int> next = 0;
    Team team(request.threads);
    team.run([&](int member) {
        Sums own(subject.model.config);
        for (int i = next.fetch_add(1); i < request.count; i = next.fetch_add(1)) {
            const DrawnPicture picture = draw_picture({set, static_cast<std::uint64_t>(i), size, {}});
            Tensor3 pixels = pixels_for(picture, subject.model);
            const Trace trace = request.kept_blocks
                                    ? forward_within(budget_of(model, *request.kept_blocks), std::move(pixels))
                                    : forward(subject.model, std::move(pixels));
            note_answer(subject, picture, trace, static_cast<std::size_t>(i), said);
            if (difficulty == Difficulty::normal) {
                measure(subject.model, picture, trace, own);
                if (i < attention_pictures) measure_attention(subject, picture, trace, own);
            }
            if (member == 0)
                report(request.progress, (static_cast<int>(difficulty) + static_cast<double>(i) / request.count) / 3);
        }
        const std::lock_guard lock(mutex);
        all.add(own);
    });
    return quality_of(said, subject, difficulty);
}

}  // namespace

Evaluation evaluate(const Model& model, const EvaluationRequest& request) {
    const Config& c = model.config;
    const Subject subject{model, untrained_like(model), set_of(model)};
    if (c.image_width != c.image_height || c.channels != 3)
        throw Error(model.provenance.name + ": the pictures are square and coloured; evaluate a model for those");
    Sums all(c);
    Evaluation e;
    for (const auto& [difficulty, name] : difficulty_names)
        e.difficulty.push_back(evaluate_difficulty(subject, request, difficulty, all));
    e.answers = e.difficulty[static_cast<std::size_t>(Difficulty::normal)];
    e.confusion = all.confusion;
    e.last_block = quality_of(all.last, all);
    e.rollout = quality_of(all.rollout, all);
    const double pictures = std::max(1, all.with_object), with_heads = std::max(1, all.with_heads);
    e.untrained_pointing = all.untrained.pointed / pictures;
    e.saliency_pointing = all.saliency.pointed / pictures;
    e.object_area = all.object_area / pictures;
    const auto [least_entropy, most_entropy] = std::minmax_element(all.entropy.begin(), all.entropy.end());
    const auto [least_distance, most_distance] = std::minmax_element(all.distance.begin(), all.distance.end());
    e.least_entropy = *least_entropy / with_heads;
    e.most_entropy = *most_entropy / with_heads;
    e.least_distance = *least_distance / with_heads;
    e.most_distance = *most_distance / with_heads;
    e.head_divergence = all.divergence / with_heads;
    for (const double p : all.lens) e.lens.push_back(p / all.count);
    return e;
}

}  // namespace vitrine
