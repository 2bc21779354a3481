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

/// A budget of memory for runs of a model, which hold at most `kept_blocks` ≥ 2 blocks at a time together.
BlockBudget budget_of(std::shared_ptr<const Model> model, int kept_blocks);

/// A run within a budget: each zℓ is kept, and a block that is asked for again is computed from it, with the same bits.
/// What-ifs of this run have the same budget.
Trace forward_within(const BlockBudget& budget, Tensor3 image, const Progress& progress = {});

/// A run whose blocks are read once, if at all: two of them are in memory at a time. The model outlives the run.
Trace forward_in_passing(const Model& model, Tensor3 image, const Progress& progress = {},
                         std::span<const Intervention> interventions = {});

/// The same image with interventions. Stages before the first intervention are shared with the baseline; the others are
/// computed.
Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress = {});

/// A model, and the number of blocks that its runs may keep in memory. All code that runs the model uses this, so that
/// none allocates memory on its own.
struct Runs {
    std::shared_ptr<const Model> model;
    std::optional<int> kept_blocks = {};  // none: all

    /// A run of an image. Throws Error if there is too little memory.
    Trace run(Tensor3 image, const Progress& progress = {}) const;
    /// `vitrine::what_if`, which throws Error likewise.
    Trace what_if(const Trace& baseline, std::span<const Intervention> interventions,
                  const Progress& progress = {}) const;
};

/// A run again from block ℓ = `block` on, under other interventions. All before it stays as it is in that run, so
/// interventions there have no effect.
Trace run_from(const Model& model, const Trace& run, int block, std::span<const Intervention> interventions,
               const Progress& progress = {});

/// While such an object lives, its thread, which draws the window, must not compute a block; tests check that with
/// `broken`.
class NoPassHere {
public:
    NoPassHere();
    ~NoPassHere();
    NoPassHere(const NoPassHere&) = delete;
    NoPassHere& operator=(const NoPassHere&) = delete;

    /// The number of blocks computed on such threads nevertheless, since the program began.
    static int broken();
};

/// The head's part of a run alone, with the same bits: memory holds one block at a time.
HeadTrace head_of(const Model& model, Tensor3 image, std::span<const Intervention> interventions = {});

/// Input of the head if the model ended after block ℓ, for one image; nothing else is kept. -> (L + 1, D), row ℓ after
/// block ℓ
Tensor2 course_of_readout(const Model& model, Tensor3 image, const Progress& progress = {},
                          std::span<const Intervention> interventions = {});

}  // namespace vitrine
