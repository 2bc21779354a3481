#include "core/training/cnn_learner.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/training/pixels.h"
#include "core/training/recipe.h"

namespace vitrine {

FlatCnnWeights untrained_cnn(const CnnConfig& config, std::uint64_t seed) {
    FlatCnnWeights flat(config);
    Random random(seed);
    for (const CnnStageWeights& stage : flat.weights().stages) {
        const Parameter& w = stage.convolution.weight;
        const float deviation = 1 / std::sqrt(static_cast<float>(w.shape()[1]));
        std::generate_n(flat.at(w), w.size(), [&] { return deviation * random.normal(); });
        std::fill_n(flat.at(stage.norm.gamma), stage.norm.gamma.size(), 1.0F);
    }
    return flat;
}

CnnLearner::CnnLearner(const CnnConfig& config, std::uint64_t seed)
    : parameters_(untrained_cnn(config, seed)), net_{config, parameters_.weights()} {}

std::vector<UpdatePart> CnnLearner::parts(Optimiser optimiser) const {
    return update_parts(parameters_, parameters_of(parameters_.weights()), optimiser);
}

Tensor3 CnnLearner::pixels_of(const std::vector<const std::uint8_t*>& images) const {
    const CnnConfig& c = net_.config;
    return normalised(images, {c.image_size, c.image_size, c.channels}, picture_preprocessing(c.image_size));
}

Tensor2 CnnLearner::logits(const std::vector<const std::uint8_t*>& images) const {
    return forward(net_, pixels_of(images)).logits;
}

Loss CnnLearner::learn(const LabelledPictures& pictures, const LossOptions& options, FlatNumbers& gradients) const {
    const CnnTrace trace = forward(net_, pixels_of(pictures.images));
    Loss loss = cross_entropy(trace.logits, pictures.labels, options);
    backward(net_, trace, loss.gradient, static_cast<FlatCnnWeights&>(gradients));
    return loss;
}

}  // namespace vitrine
