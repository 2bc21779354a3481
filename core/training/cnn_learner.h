#pragma once

#include <cstdint>

#include "core/cnn/cnn.h"
#include "core/training/learner.h"

namespace vitrine {

/// A convolutional net as it begins: normal weights of a variance of 1 / inputs, a classifier of zeros.
FlatCnnWeights untrained_cnn(const CnnConfig& config, std::uint64_t seed);

/// A convolutional net as it learns, from pictures as the Vision Transformer sees them.
class CnnLearner : public Learner {
public:
    CnnLearner(const CnnConfig& config, std::uint64_t seed);

    FlatCnnWeights& parameters() override { return parameters_; }
    std::shared_ptr<FlatNumbers> room() const override { return std::make_shared<FlatCnnWeights>(net_.config); }
    std::vector<UpdatePart> parts(Optimiser optimiser) const override;
    Tensor2 logits(const std::vector<const std::uint8_t*>& images) const override;
    Loss learn(const LabelledPictures& pictures, const LossOptions& options, FlatNumbers& gradients) const override;

private:
    Tensor3 pixels_of(const std::vector<const std::uint8_t*>& images) const;

    FlatCnnWeights parameters_;
    Cnn net_;  // shows the parameters
};

}  // namespace vitrine
