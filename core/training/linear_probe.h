#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/tensor/tensor.h"
#include "core/training/own_pictures.h"
#include "core/vit/model.h"

// A new head on a model that stays as it is: its last state is computed once for each picture, then a softmax
// regression learns to tell the classes from it ("linear probe", Alain & Bengio 2016).

namespace vitrine {

/// What the classifier reads of pictures, LN(z_L) of the readout, and what they show.
struct ProbeFeatures {
    Tensor2 x;                // (n, D)
    std::vector<int> labels;  // (n)
};

/// Softmax regression with weight decay: the W (K, D) and b (K) that make
///   J = −(1/n) Σᵢ log softmax(W x̂ᵢ + b)[yᵢ] + (λ/2) ‖W‖²
/// least, where x̂ are the features brought to mean 0 and standard deviation 1, which is then folded into W and b. J is
/// convex: the same from wherever it begins. By accelerated gradient descent (Nesterov 1983).
struct SoftmaxRegression {
    std::vector<float> weight, bias;
    double loss = 0;  // J
};
SoftmaxRegression fit_softmax(const ProbeFeatures& features, int classes, double decay);

/// The share of features that it names rightly is `correct` of `count`.
struct ProbeScore {
    int correct = 0, count = 0;
    double accuracy() const { return count == 0 ? 0 : static_cast<double>(correct) / count; }
};
ProbeScore score(const SoftmaxRegression& fit, const ProbeFeatures& features);

/// How likely at least `correct` of `count` are for someone who knows nothing but how often the commonest class comes:
/// the upper tail of the binomial distribution.
double chance_of(const ProbeScore& score, double commonest);

struct ProbeSettings {
    double decay = 0.03;     // λ
    double held_out = 0.25;  // of each class, at least one
    std::uint64_t seed = 1;  // which those are
    int threads = 0;         // 0: all
};

/// What came of it.
struct LinearProbe {
    std::shared_ptr<const Model> model;  // the old one with the new classes
    ProbeScore learned, held_out;        // on the pictures that it learned from, and on those that it did not see
    double commonest = 0;                // share of the commonest class among those held out
    std::vector<std::string> broken;     // pictures that could not be read, a sentence each
    double seconds_reading = 0, seconds_learning = 0;

    /// Whether what was held out is named better than by chance (p < 0.05).
    bool knows_something() const { return chance_of(held_out, commonest) < 0.05; }
    /// Whether so few are held out that chance would name all of them rightly too often to tell.
    bool too_few_to_say() const { return chance_of({held_out.count, held_out.count}, commonest) >= 0.05; }
};

/// Throws Error where there is too little to learn from, and Cancelled.
LinearProbe learn_probe(const std::shared_ptr<const Model>& model, const OwnPictures& pictures, const std::string& name,
                        const ProbeSettings& settings, const Progress& progress = {});

}  // namespace vitrine
