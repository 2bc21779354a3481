#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/tensor/tensor.h"
#include "core/training/own_pictures.h"
#include "core/vit/model.h"

// A new head on a frozen model ("linear probe", Alain & Bengio 2016): a state of each picture, by default the last, is
// computed once, then a softmax regression is trained on these features.

namespace vitrine {

/// The classifier's inputs for pictures, which are the readout of z_ℓ after the head's norm, and their labels.
struct ProbeFeatures {
    Tensor2 x;                // (n, D)
    std::vector<int> labels;  // (n)
};

/// Softmax regression with weight decay: W (K, D) and b (K) that minimise
///   J = −(1/n) Σᵢ log softmax(W x̂ᵢ + b)[yᵢ] + (λ/2) ‖W‖²
/// where x̂ are the features standardised to mean 0 and deviation 1, which is folded into W and b afterwards. J is
/// convex, so the start does not matter. By accelerated gradient descent (Nesterov 1983).
struct SoftmaxRegression {
    std::vector<float> weight, bias;
    double loss = 0;  // J
};
SoftmaxRegression fit_softmax(const ProbeFeatures& features, int classes, double decay);

/// Accuracy: `correct` of `count`.
struct ProbeScore {
    int correct = 0, count = 0;
    double accuracy() const { return count == 0 ? 0 : static_cast<double>(correct) / count; }
};
ProbeScore score(const SoftmaxRegression& fit, const ProbeFeatures& features);

/// The 95 % confidence interval of an accuracy: Wilson's interval.
std::pair<double, double> interval_of(const ProbeScore& score);

/// Probability that always guessing the commonest class gives at least `correct` of `count`: the upper tail of the
/// binomial distribution.
double chance_of(const ProbeScore& score, double commonest);

struct ProbeSettings {
    double decay = 0.03;               // λ
    double held_out = 0.25;            // share of each class, at least one picture
    std::uint64_t seed = 1;            // chooses the held-out pictures
    int threads = 0;                   // 0: all
    std::optional<int> layer = {};     // ℓ of the z_ℓ that is read, 0 … L; none: the last
    std::optional<Readout> read = {};  // the tokens that are read; none: those that the model's head reads
    int folds = 0;                     // 2 or more: each picture is held out once, and the head learns from all
    // `held_out` and `seed` are ignored if the folder itself separates the held-out pictures.
};

/// A head's prediction for a held-out picture.
struct ProbeAnswer {
    std::size_t file = 0;  // index among the pictures
    int label = 0, said = 0;
    double probability = 0;  // of the predicted class
    int fold = 0;
};

/// Result of training a probe.
struct LinearProbe {
    std::shared_ptr<const Model> model;  // the frozen model with the new classes
    ProbeScore learned, held_out;        // accuracy on the training pictures, and on the held-out ones
    double commonest = 0;                // share of the commonest class among the held-out pictures
    std::vector<ProbeAnswer> answers;    // one for each held-out picture, in the pictures' order
    std::vector<ProbeScore> folds;       // one for each fold; empty without folds
    std::vector<std::string> broken;     // a message for each picture that could not be read
    double seconds_reading = 0, seconds_learning = 0;

    /// True if held-out pictures are classified better than by chance (p < 0.05).
    bool beats_chance() const { return chance_of(held_out, commonest) < 0.05; }
    /// True if so few are held out that even a perfect score would not be significant.
    bool too_few_to_say() const { return chance_of({held_out.count, held_out.count}, commonest) >= 0.05; }
};

/// Trains and tests a probe. Throws Error if a class has too few pictures or the settings do not fit, and Cancelled.
LinearProbe learn_probe(const std::shared_ptr<const Model>& model, const OwnPictures& pictures, const std::string& name,
                        const ProbeSettings& settings, const Progress& progress = {});

}  // namespace vitrine
