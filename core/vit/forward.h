#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/base/progress.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Forward pass: embedding, L encoder blocks, head. image (B·C, H, W) for any number of images B.
Trace forward(const Model& model, Tensor3 image, const Progress& progress = {},
              std::span<const Intervention> interventions = {});

/// A budget of memory for runs of a model, which together keep at most `kept_blocks` ≥ 2 blocks in memory.
BlockBudget budget_of(std::shared_ptr<const Model> model, int kept_blocks);

/// A run within a budget: every zℓ is kept, and a requested block that is not in memory is recomputed from its input,
/// with the same bits. What-ifs of this run share the budget.
Trace forward_within(const BlockBudget& budget, Tensor3 image, const Progress& progress = {});

/// A run whose blocks are read at most once: keeps two of them in memory. The model must outlive the run.
Trace forward_in_passing(const Model& model, Tensor3 image, const Progress& progress = {},
                         std::span<const Intervention> interventions = {});

/// The same image with interventions. Stages before the first intervention are shared with the baseline; the others are
/// computed.
Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress = {});

/// A model, and the number of blocks that its runs may keep in memory. All code that runs the model uses this, so that
/// memory is checked in one place.
struct Runs {
    std::shared_ptr<const Model> model;
    std::optional<int> kept_blocks = {};  // none: all

    /// A run of an image. Throws Error if there is too little memory.
    Trace run(Tensor3 image, const Progress& progress = {}) const;
    /// `vitrine::what_if`. Throws Error if there is too little memory.
    Trace what_if(const Trace& baseline, std::span<const Intervention> interventions,
                  const Progress& progress = {}) const;
};

/// Repeats a run from block ℓ = `block` on, with other interventions. Earlier stages are shared with the run, so
/// interventions there have no effect.
Trace run_from(const Model& model, const Trace& run, int block, std::span<const Intervention> interventions,
               const Progress& progress = {});

/// While such an object exists, its thread, which draws the window, must not compute a block; tests check this with
/// `broken`.
class NoPassHere {
public:
    NoPassHere();
    ~NoPassHere();
    NoPassHere(const NoPassHere&) = delete;
    NoPassHere& operator=(const NoPassHere&) = delete;

    /// The number of blocks computed against this rule since the program began.
    static int broken();
};

/// The head's trace of a run, with the same bits, without the rest: memory holds one block at a time.
HeadTrace head_of(const Model& model, Tensor3 image, std::span<const Intervention> interventions = {});

/// The input of the head if the model ended after block ℓ, for one image; memory holds one block at a time. -> (L + 1,
/// D), row ℓ after block ℓ
Tensor2 course_of_readout(const Model& model, Tensor3 image, const Progress& progress = {},
                          std::span<const Intervention> interventions = {});

}  // namespace vitrine
