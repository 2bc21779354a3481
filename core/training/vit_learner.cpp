#include "core/training/vit_learner.h"

#include <utility>

#include "core/training/own_weights.h"
#include "core/training/pixels.h"
#include "core/vit/backward.h"
#include "core/vit/forward.h"

namespace vitrine {

VitLearner::VitLearner(Model model, double dropout)
    : model_(std::move(model)), parameters_(own_weights<FlatWeights>(model_)), dropout_(dropout) {}

Tensor2 VitLearner::logits(const std::vector<const std::uint8_t*>& images) const {
    return forward(model_, normalised(images, model_)).head->logits;
}

Loss VitLearner::learn(const LabelledPictures& pictures, const LossOptions& options, FlatNumbers& gradients) const {
    std::vector<Intervention> drops;
    if (dropout_ > 0) drops = dropout(static_cast<float>(dropout_), pictures.seed);
    const Trace trace = forward(model_, normalised(pictures.images, model_), {}, drops);
    Loss loss = cross_entropy(trace.head->logits, pictures.labels, options);
    backward({model_, trace, drops}, loss.gradient, static_cast<FlatWeights&>(gradients));
    return loss;
}

}  // namespace vitrine
