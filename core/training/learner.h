#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/training/loss.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// Pictures with their labels: 8-bit pixels (H, W, 3) each.
struct LabelledPictures {
    std::vector<const std::uint8_t*> images;
    std::vector<int> labels;
    std::uint64_t seed = 0;  // seed of this pass's random choices: dropout
};

/// A net as the trainer sees it: flat parameters, loss and gradients. Const functions may be called by several threads.
class Learner {
public:
    virtual ~Learner() = default;

    virtual FlatNumbers& parameters() = 0;
    /// Zeros in the parameters' shape.
    virtual std::shared_ptr<FlatNumbers> make_gradient_buffer() const = 0;
    virtual std::vector<UpdatePart> parts(Optimiser optimiser) const = 0;

    /// The logits of pictures.      ->  (B, classes)
    virtual Tensor2 logits(const std::vector<const std::uint8_t*>& images) const = 0;
    /// Forward pass, cross-entropy, backward pass; `gradients`, from make_gradient_buffer, is overwritten.
    virtual Loss learn(const LabelledPictures& pictures, const LossOptions& options, FlatNumbers& gradients) const = 0;
};

}  // namespace vitrine
