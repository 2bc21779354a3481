#pragma once

#include <optional>
#include <vector>

#include "core/tensor/tensor.h"

namespace vitrine {

/// How a cosine becomes a logit: it is multiplied by `scale`, the inverse of the temperature τ, and SigLIP's bias is
/// added.
struct LogitScale {
    float scale = 1;                 // e^t = 1 / τ
    std::optional<float> bias = {};  // b; with a bias, each logit has its own probability
};

/// x · y / (|x| |y|) of each row of one tensor with each row of the other; 0 if a row is 0.
/// (A, features), (B, features) -> (A, B)
Tensor2 cosines_between(const Tensor2& a, const Tensor2& b);

/// Cosines as logits, and logits as probabilities: CLIP's softmax over all logits (Radford et al. 2021), or SigLIP's
/// sigmoid of each (Zhai et al. 2023).
std::vector<float> logits_of(const std::vector<float>& cosines, const LogitScale& scale);
std::vector<float> probabilities_of(const std::vector<float>& logits, const LogitScale& scale);

/// B images and their B texts, as the loss of training compares them: image i belongs to text i.
struct Contrast {
    Tensor2 logits;    // (B, B)  [image, text]
    Tensor2 by_image;  // (B, B)  CLIP: softmax of each row, over the texts; SigLIP: a sigmoid of each logit
    Tensor2 by_text;   // (B, B)  CLIP: softmax of each column, over the images; SigLIP: empty
    double loss = 0;   // in nats per image
};

/// Compares each image with each text. CLIP's loss is −½ (mean of log by_image(i, i) + mean of log by_text(i, i))
/// (Radford et al. 2021, Fig. 3); SigLIP's is −Σ log σ(±logit) / B, with + for the pairs and − for all others (Zhai et
/// al. 2023, Algorithm 1).
///
///   cosines (B, B)
Contrast contrast_of(const Tensor2& cosines, const LogitScale& scale);

}  // namespace vitrine
