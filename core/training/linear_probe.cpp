#include "core/training/linear_probe.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/team.h"
#include "core/files/image.h"
#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

MatrixView view_of(const Tensor2& x) { return {x.data(), x.shape()[0], x.shape()[1], x.shape()[1]}; }

/// Features with mean 0 and deviation 1, followed by a column of ones, and the transformation that gave them.
struct Standardised {
    Tensor2 x;  // (n, D + 1)
    std::vector<double> mean, deviation;

    explicit Standardised(const Tensor2& from);
};

Standardised::Standardised(const Tensor2& from)
    : x(tensor2(from.shape()[0], from.shape()[1] + 1)), mean(from.shape()[1], 0), deviation(from.shape()[1], 0) {
    const std::size_t n = from.shape()[0], dim = from.shape()[1];
    for (std::size_t d = 0; d < dim; ++d) {
        for (std::size_t i = 0; i < n; ++i) mean[d] += static_cast<double>(from(i, d)) / static_cast<double>(n);
        double squares = 0;
        for (std::size_t i = 0; i < n; ++i) squares += std::pow(static_cast<double>(from(i, d)) - mean[d], 2);
        deviation[d] = std::max(1e-6, std::sqrt(squares / static_cast<double>(n)));
        for (std::size_t i = 0; i < n; ++i)
            x(i, d) = static_cast<float>((static_cast<double>(from(i, d)) - mean[d]) / deviation[d]);
    }
    for (std::size_t i = 0; i < n; ++i) x(i, dim) = 1;
}

/// The largest eigenvalue of XᵀX / n by power iteration, rounded up a little.
double largest_eigenvalue(const Tensor2& x) {
    const std::size_t n = x.shape()[0], columns = x.shape()[1];
    Tensor2 v = tensor2(1, columns), xv = tensor2(1, n);
    std::fill(v.begin(), v.end(), 1 / std::sqrt(static_cast<float>(columns)));
    double length = 0;
    for (int i = 0; i < 60; ++i) {
        multiply({.a = view_of(v), .b = view_of(x), .transpose_b = Transpose::yes}, xv.data());
        multiply({.a = view_of(xv), .b = view_of(x), .alpha = 1 / static_cast<float>(n)}, v.data());
        double squares = 0;
        for (const float e : v) squares += static_cast<double>(e) * static_cast<double>(e);
        length = std::sqrt(squares);
        for (float& e : v) e = static_cast<float>(static_cast<double>(e) / length);
    }
    return 1.05 * length;
}

/// J and its gradient at W̃ (K, D + 1), whose last column is b.
struct Objective {
    const Tensor2& x;
    const std::vector<int>& labels;
    double decay;

    double at(const Tensor2& w, Tensor2& slope) const {
        const std::size_t n = x.shape()[0], last = x.shape()[1] - 1;
        Tensor2 logits = tensor2(n, w.shape()[0]);
        multiply({.a = view_of(x), .b = view_of(w), .transpose_b = Transpose::yes}, logits.data());
        Tensor2 miss = softmax(logits);
        double loss = 0;
        for (std::size_t i = 0; i < n; ++i) {
            float& own = miss(i, static_cast<std::size_t>(labels[i]));
            loss -= std::log(std::max(1e-30, static_cast<double>(own))) / static_cast<double>(n);
            own -= 1;
        }
        multiply(
            {.a = view_of(miss), .b = view_of(x), .transpose_a = Transpose::yes, .alpha = 1 / static_cast<float>(n)},
            slope.data());
        for (std::size_t k = 0; k < w.shape()[0]; ++k)
            for (std::size_t d = 0; d < last; ++d) {
                slope(k, d) += static_cast<float>(decay) * w(k, d);
                loss += decay / 2 * static_cast<double>(w(k, d)) * static_cast<double>(w(k, d));
            }
        return loss;
    }
};

/// Minimises J with steps of 1/L and momentum that restarts when it leads uphill (O'Donoghue & Candès 2015). The
/// softmax's curvature is at most ½ of the features' (Böhning 1992).
double descend(const Objective& objective, Tensor2& w) {
    constexpr int most_steps = 4000;
    constexpr float tolerance = 2e-6F;  // largest slope at which the descent stops
    const auto step = static_cast<float>(1 / (0.5 * largest_eigenvalue(objective.x) + objective.decay));
    Tensor2 ahead = w, slope = tensor2(w.shape()[0], w.shape()[1]), before = w;
    double t = 1, loss = 0;
    for (int i = 0; i < most_steps; ++i) {
        loss = objective.at(ahead, slope);
        float steepest = 0;
        double uphill = 0;
        before = w;
        for (std::size_t j = 0; j < w.size(); ++j) {
            const float g = slope.data()[j];
            steepest = std::max(steepest, std::fabs(g));
            w.data()[j] = ahead.data()[j] - step * g;
            uphill += static_cast<double>(g) * static_cast<double>(w.data()[j] - before.data()[j]);
        }
        if (steepest < tolerance) break;
        if (uphill > 0) t = 1;
        const double next = (1 + std::sqrt(1 + 4 * t * t)) / 2;
        const auto share = static_cast<float>((t - 1) / next);
        for (std::size_t j = 0; j < w.size(); ++j)
            ahead.data()[j] = w.data()[j] + share * (w.data()[j] - before.data()[j]);
        t = next;
    }
    return loss;
}

ProbeFeatures rows_of(const ProbeFeatures& all, const std::vector<std::size_t>& rows) {
    ProbeFeatures some{tensor2(rows.size(), all.x.shape()[1]), {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(&all.x(rows[i], 0), all.x.shape()[1], &some.x(i, 0));
        some.labels.push_back(all.labels[rows[i]]);
    }
    return some;
}

/// The pictures of a class in a random order.
std::vector<std::size_t> drawn_order(const std::vector<int>& labels, int wanted, Random& random) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] == wanted) own.push_back(i);
    for (std::size_t i = own.size(); i > 1; --i)
        std::swap(own[i - 1], own[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    return own;
}

/// Training and held-out pictures: as the folder has them, or drawn at random with the same share of each class.
struct Split {
    std::vector<std::size_t> learned, held_out;
};
Split given_split(const OwnPictures& pictures, const std::vector<std::size_t>& files) {
    Split split;
    for (std::size_t i = 0; i < files.size(); ++i)
        (pictures.files[files[i]].held_out ? split.held_out : split.learned).push_back(i);
    return split;
}
Split split_of(const std::vector<int>& labels, int classes, const ProbeSettings& settings) {
    Split split;
    Random random(settings.seed);
    for (int k = 0; k < classes; ++k) {
        const std::vector<std::size_t> own = drawn_order(labels, k, random);
        const auto out =
            static_cast<std::size_t>(std::max(1L, std::lround(settings.held_out * static_cast<double>(own.size()))));
        for (std::size_t i = 0; i < own.size(); ++i) (i < out ? split.held_out : split.learned).push_back(own[i]);
    }
    return split;
}

/// Equal parts of each class, drawn at random: the fold of each picture.
std::vector<int> folds_of(const std::vector<int>& labels, int classes, const ProbeSettings& settings) {
    std::vector<int> folds(labels.size());
    Random random(settings.seed);
    for (int k = 0; k < classes; ++k) {
        const std::vector<std::size_t> own = drawn_order(labels, k, random);
        for (std::size_t i = 0; i < own.size(); ++i) folds[own[i]] = static_cast<int>(i) % settings.folds;
    }
    return folds;
}

/// What the new head reads. Unless the settings say, the same as the old head; but in a model with two classifiers, the
/// class token alone.
Config reading_of(const Model& model, const ProbeSettings& settings) {
    Config reading = model.config;
    if (settings.read) reading.norm_before_mean = false;
    const bool two_classifiers = reading.readout == Readout::class_and_distillation;
    reading.readout = settings.read.value_or(two_classifiers ? Readout::class_token : reading.readout);
    return reading;
}

/// LN of the readout of z_ℓ.
std::vector<float> feature_of(const Model& model, const Config& reading, const Trace& trace, int layer) {
    if (layer == trace.blocks() && reading.readout == model.config.readout &&
        reading.norm_before_mean == model.config.norm_before_mean)
        return {trace.head->ln.begin(), trace.head->ln.end()};
    const Tensor2 out =
        layer_norm(model.weights.norm, read_out(reading, trace.z(layer)), reading.layer_norm_epsilon).out;
    return {out.begin(), out.end()};
}

void check_reading(const Model& model, const ProbeSettings& settings) {
    const int layer = settings.layer.value_or(model.config.blocks);
    if (layer < 0 || layer > model.config.blocks)
        throw Error("layer " + std::to_string(layer) + ": this model has layers 0 (before the blocks) to " +
                    std::to_string(model.config.blocks) + "; choose one of them");
    if (settings.read == Readout::class_token && !model.config.first_of(TokenKind::class_token))
        throw Error("this model has no class token to read; read the mean of its patches");
}

/// The features of all readable pictures, and each one's index in `pictures`; `broken` receives a message for each of
/// the other pictures.
struct ReadPictures {
    ProbeFeatures features;
    std::vector<std::size_t> files;
};
ReadPictures read_features(const Model& model, const OwnPictures& pictures, const ProbeSettings& settings,
                           const Progress& progress, std::vector<std::string>& broken) {
    const int threads = settings.threads, layer = settings.layer.value_or(model.config.blocks);
    const Config reading = reading_of(model, settings);
    std::vector<std::size_t> files;
    const std::size_t count = pictures.files.size();
    std::vector<std::vector<float>> rows(count);
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stop = false;
    std::mutex mutex;
    Team team(std::max(1, std::min(threads > 0 ? threads : thread_count(), static_cast<int>(count))));
    team.run([&](int member) {
        for (std::size_t i = next++; i < count && !stop; i = next++) try {
                if (member == 0) report(progress, static_cast<double>(i) / static_cast<double>(count));
                const Image image = load_image(pictures.files[i].path);
                const Trace trace =
                    forward_in_passing(model, preprocess(image, model.preprocessing, model.config).pixels);
                rows[i] = feature_of(model, reading, trace, layer);
            } catch (const Error& error) {
                const std::lock_guard lock(mutex);
                broken.emplace_back(error.what());
            } catch (...) {
                stop = true;
                throw;
            }
    });
    std::ranges::sort(broken);
    std::size_t width = 0;  // D, or 2D where the head reads two vectors side by side
    for (const std::vector<float>& row : rows) width = std::max(width, row.size());
    ProbeFeatures features{tensor2(count - broken.size(), width), {}};
    for (std::size_t i = 0; i < count; ++i) {
        if (rows[i].empty()) continue;
        std::ranges::copy(rows[i], &features.x(features.labels.size(), 0));
        features.labels.push_back(pictures.files[i].label);
        files.push_back(i);
    }
    return {std::move(features), std::move(files)};
}

Parameter parameter_of(const std::vector<float>& values, std::vector<std::size_t> shape) {
    const std::shared_ptr<float[]> data(new float[values.size()]);
    std::ranges::copy(values, data.get());
    return {std::shared_ptr<const float>(data, data.get()), std::move(shape)};
}

std::shared_ptr<const Model> with_head(const Model& model, const SoftmaxRegression& fit,
                                       const std::vector<std::string>& labels, const std::string& name,
                                       const Config& reading) {
    auto own = std::make_shared<Model>(model);
    const std::size_t dim = fit.weight.size() / labels.size();
    own->config = reading;
    own->config.labels = labels;
    own->config.ending = HeadKind::classes;
    own->config.features = 0;
    own->config.feature_bias = false;
    own->weights.feature_projection = {};
    own->weights.distillation_classifier = {};
    if (!own->config.pools()) own->weights.pooling = {};
    own->config.classes = static_cast<int>(labels.size());
    own->weights.classifier = {parameter_of(fit.weight, {labels.size(), dim}), parameter_of(fit.bias, {labels.size()}),
                               nullptr};
    own->provenance = {};
    own->provenance.name = name;
    own->provenance.layout = model.provenance.layout;
    own->provenance.notes = {"a linear probe on " + model.provenance.name};
    return own;
}

/// The class that a head predicts, and its probability.
std::pair<int, double> predicted_by(const SoftmaxRegression& fit, const Tensor2& x, std::size_t row) {
    const std::size_t dim = x.shape()[1];
    std::vector<double> logits(fit.bias.begin(), fit.bias.end());
    for (std::size_t k = 0; k < logits.size(); ++k)
        for (std::size_t d = 0; d < dim; ++d)
            logits[k] += static_cast<double>(fit.weight[k * dim + d]) * static_cast<double>(x(row, d));
    const auto best = std::ranges::max_element(logits);
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit - *best);
    return {static_cast<int>(best - logits.begin()), 1 / sum};
}

/// Tests a head on pictures that it was not trained on.
void test_held_out(const ReadPictures& all, const SoftmaxRegression& fit, const std::vector<std::size_t>& out,
                   LinearProbe& probe) {
    ProbeScore score;
    for (const std::size_t i : out) {
        const auto [said, probability] = predicted_by(fit, all.features.x, i);
        const int label = all.features.labels[i];
        probe.answers.push_back({all.files[i], label, said, probability, static_cast<int>(probe.folds.size())});
        score.correct += said == label ? 1 : 0;
        ++score.count;
    }
    probe.folds.push_back(score);
}

}  // namespace

SoftmaxRegression fit_softmax(const ProbeFeatures& features, int classes, double decay) {
    const Standardised s(features.x);
    const std::size_t dim = features.x.shape()[1], all = static_cast<std::size_t>(classes);
    Tensor2 w = tensor2(all, dim + 1);
    std::fill(w.begin(), w.end(), 0.0F);
    SoftmaxRegression fit;
    fit.loss = descend({s.x, features.labels, decay}, w);
    fit.weight.resize(all * dim);
    fit.bias.resize(all);
    for (std::size_t k = 0; k < all; ++k) {
        double bias = static_cast<double>(w(k, dim));
        for (std::size_t d = 0; d < dim; ++d) {
            const double own = static_cast<double>(w(k, d)) / s.deviation[d];
            fit.weight[k * dim + d] = static_cast<float>(own);
            bias -= own * s.mean[d];
        }
        fit.bias[k] = static_cast<float>(bias);
    }
    return fit;
}

ProbeScore score(const SoftmaxRegression& fit, const ProbeFeatures& features) {
    ProbeScore score;
    for (std::size_t i = 0; i < features.labels.size(); ++i) {
        score.correct += predicted_by(fit, features.x, i).first == features.labels[i] ? 1 : 0;
        ++score.count;
    }
    return score;
}

std::pair<double, double> interval_of(const ProbeScore& score) {
    if (score.count == 0) return {0, 1};
    constexpr double z = 1.959963984540054;  // for 95 %
    const double n = score.count, share = score.accuracy(), middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

double chance_of(const ProbeScore& score, double commonest) {
    if (commonest >= 1) return 1;
    double sum = 0;
    for (int k = score.correct; k <= score.count; ++k) {
        const double ways = std::lgamma(score.count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(score.count - k + 1.0);
        sum += std::exp(ways + k * std::log(commonest) + (score.count - k) * std::log1p(-commonest));
    }
    return std::min(1.0, sum);
}

LinearProbe learn_probe(const std::shared_ptr<const Model>& model, const OwnPictures& pictures, const std::string& name,
                        const ProbeSettings& settings, const Progress& progress) {
    check_reading(*model, settings);
    const bool own_test = pictures.has_own_test();
    if (own_test && settings.folds >= 2)
        throw Error(
            "the folder says itself which pictures stay unseen, so there are no folds; give its train folder, "
            "or leave the folds out");
    LinearProbe probe;
    const Clock::time_point start = Clock::now();
    const ReadPictures all = read_features(*model, pictures, settings, progress, probe.broken);
    const ProbeFeatures& features = all.features;
    probe.seconds_reading = seconds_since(start);
    const int classes = static_cast<int>(pictures.labels.size());
    for (int k = 0; k < classes; ++k)
        if (std::ranges::count(features.labels, k) < std::max(2, settings.folds))
            throw Error(pictures.labels[static_cast<std::size_t>(k)] +
                        ": too few of its pictures can be read; add more" +
                        (settings.folds > 2 ? ", or use fewer folds" : "") +
                        (probe.broken.empty() ? "" : " (" + probe.broken.front() + ")"));
    const Clock::time_point learning = Clock::now();
    std::vector<std::size_t> every(features.labels.size());
    std::iota(every.begin(), every.end(), std::size_t{0});
    std::vector<std::size_t> learned = every;
    Split split;
    if (settings.folds >= 2) {
        const std::vector<int> folds = folds_of(features.labels, classes, settings);
        for (int fold = 0; fold < settings.folds; ++fold) {
            std::vector<std::size_t> rest, out;
            for (const std::size_t i : every) (folds[i] == fold ? out : rest).push_back(i);
            test_held_out(all, fit_softmax(rows_of(features, rest), classes, settings.decay), out, probe);
        }
    } else {
        split = own_test ? given_split(pictures, all.files) : split_of(features.labels, classes, settings);
        if (split.held_out.empty())
            throw Error("none of the pictures for testing can be read; add more (" + probe.broken.front() + ")");
        learned = split.learned;
    }
    const SoftmaxRegression fit = fit_softmax(rows_of(features, learned), classes, settings.decay);
    if (settings.folds < 2) {
        test_held_out(all, fit, split.held_out, probe);
        probe.folds.clear();
    }
    probe.learned = score(fit, rows_of(features, learned));
    std::vector<int> held_out;
    for (const ProbeAnswer& a : probe.answers) {
        held_out.push_back(a.label);
        probe.held_out.correct += a.said == a.label ? 1 : 0;
        ++probe.held_out.count;
    }
    std::ranges::sort(probe.answers, {}, &ProbeAnswer::file);
    for (int k = 0; k < classes; ++k)
        probe.commonest = std::max(probe.commonest, static_cast<double>(std::ranges::count(held_out, k)) /
                                                        static_cast<double>(held_out.size()));
    probe.model = with_head(*model, fit, pictures.labels, name, reading_of(*model, settings));
    probe.seconds_learning = seconds_since(learning);
    report(progress, 1);
    return probe;
}

}  // namespace vitrine
