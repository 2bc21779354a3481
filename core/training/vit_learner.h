#pragma once

#include "core/training/learner.h"
#include "core/vit/model.h"

namespace vitrine {

/// A Vision Transformer in training; steps change the weights of `model`.
class VitLearner : public Learner {
public:
    VitLearner(Model model, double dropout);

    FlatWeights& parameters() override { return parameters_; }
    std::shared_ptr<FlatNumbers> make_gradient_buffer() const override {
        return std::make_shared<FlatWeights>(model_.config);
    }
    std::vector<UpdatePart> parts(Optimiser optimiser) const override { return update_parts(parameters_, optimiser); }
    Tensor2 logits(const std::vector<const std::uint8_t*>& images) const override;
    Loss learn(const LabelledPictures& pictures, const LossOptions& options, FlatNumbers& gradients) const override;

    const Model& model() const { return model_; }

private:
    Model model_;
    FlatWeights parameters_;
    double dropout_;
};

}  // namespace vitrine
