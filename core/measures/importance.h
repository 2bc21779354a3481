#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/options.h"
#include "core/tensor/tensor.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// A finished run of a model with classes, and its what-ifs.
struct ImportanceOf {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs = {};
};

/// Importance of each head and each MLP for the first choice: the choice's margin (its logit minus the largest other
/// one) in the run, minus its margin without the part.
struct Importance {
    int chosen = 0;           // the run's first choice
    double margin = 0;        // of `chosen` in the run
    Tensor2 heads;            // (L, h)
    std::vector<float> mlps;  // (L)
};

/// Removes each head and each MLP in turn and reruns the model from that block on. `ablation`: zero, or the mean of the
/// part's output over the tokens of this run.
Importance importance(const ImportanceOf& of, Ablation ablation = Ablation::zero, const Progress& progress = {});

/// Importance of heads from one backward pass: |Σ heads ⊙ ∂margin/∂heads| (Michel et al. 2019, with the margin in place
/// of the loss), the change of the margin to first order if the head were removed.      ->  (L, h)
Tensor2 gradient_importance(const ImportanceOf& of, const Progress& progress = {});

/// The what-if that replaces a head's output before W_O, or an MLP's output: by zeros, by its mean over the tokens in
/// `run`, or (resample) by its values in `run`, which is then a run of another image.
Intervention ablated_head(int block, int head, Ablation ablation, const Trace& run);
Intervention ablated_mlp(int block, Ablation ablation, const Trace& run);
/// The what-if that replaces every row at a site of a block by the mean of `rows`.
Intervention averaged(Site site, int block, const Tensor2& rows);

}  // namespace vitrine
