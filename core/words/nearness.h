#pragma once

#include <vector>

#include "core/tensor/tensor.h"

namespace vitrine {

struct HeadTrace;
struct Model;
struct TextTower;
class Trace;

/// The similarity of an image to each of some texts, in the space that both towers share.
struct Nearness {
    std::vector<float> cosine;       // (texts)
    std::vector<float> logit;        // (texts)  the cosine times the tower's scale, with SigLIP's bias
    std::vector<float> probability;  // (texts)  CLIP: softmax over the texts; SigLIP: a sigmoid each
    Tensor2 patches;                 // (texts, N_p)  the cosine of each patch
};

/// An image's features in this space: the output of the model.      -> (1, features)
const Tensor2& features_of_image(const Model& model, const HeadTrace& head);

/// CLIP's similarities (Radford et al. 2021, Fig. 3) or SigLIP's (Zhai et al. 2023, Algorithm 1) for a run of one
/// image. Patches pass through the last norm and the projection, or through SigLIP's pooling as if all patches were the
/// same one; no model was trained to place single patches in this space.
///
///   features (texts, features) of `features_of_texts`
Nearness nearness_of(const Model& model, const Trace& trace, const TextTower& tower, const Tensor2& features);

}  // namespace vitrine
