#pragma once

#include <cstdint>

#include "core/cnn/cnn.h"
#include "core/training/learner.h"

namespace vitrine {

/// Initial weights of a convolutional net: normal with variance 1 / inputs, and a zero classifier.
FlatCnnWeights untrained_cnn(const CnnConfig& config, std::uint64_t seed);

/// A convolutional net in training, on pictures preprocessed as for the Vision Transformer.
class CnnLearner : public Learner {
public:
    CnnLearner(const CnnConfig& config, std::uint64_t seed);

    FlatCnnWeights& parameters() override { return parameters_; }
    std::shared_ptr<FlatNumbers> make_gradient_buffer() const override {
        return std::make_shared<FlatCnnWeights>(net_.config);
    }
    std::vector<UpdatePart> parts(Optimiser optimiser) const override;
    Tensor2 logits(const std::vector<const std::uint8_t*>& images) const override;
    Loss learn(const LabelledPictures& pictures, const LossOptions& options, FlatNumbers& gradients) const override;

private:
    Tensor3 pixels_of(const std::vector<const std::uint8_t*>& images) const;

    FlatCnnWeights parameters_;
    Cnn net_;  // views of the parameters
};

}  // namespace vitrine
