#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// What adds to the token that the head reads on its way to the logits; to their mean where it reads several.
struct LedgerEntry {
    enum class Part {
        embedding,        // z₀ of what is read
        head,             // heads_i W_O's own columns
        projection_bias,  // of W_O
        mlp,              // the MLP's output, its bias included
        norms,            // the β of all layer norms on the way, the last one's too
        classifier_bias,
        rest,  // what some what-ifs change where no part can be named; absent in a plain run
    };
    Part part = Part::embedding;
    int block = 0;  // ℓ of head, projection_bias and mlp
    int head = 0;

    bool operator==(const LedgerEntry&) const = default;
};

/// "embedding", "block.3.head.2", "block.3.bias", "block.3.mlp", "norms", "classifier.bias", "rest".
std::string name_of(const LedgerEntry& entry);

/// The exact ledger of the logits (direct logit attribution, with every layer norm's μ and σ as they are in this run):
/// each part's ⟨γ ⊙ (x − mean(x)) / σ, w_c⟩. The rows sum to the logits.
struct Ledger {
    std::vector<LedgerEntry> entries;
    Tensor2 contributions;  // (entries, classes)

    /// What an entry adds to a class's logit, or to its lead over another.
    float contribution(std::size_t entry, int chosen, int against = -1) const {
        const float own = contributions(entry, static_cast<std::size_t>(chosen));
        return against < 0 ? own : own - contributions(entry, static_cast<std::size_t>(against));
    }
};

/// Of a run of one image, any norm, with or without skips. Asserts a classifier.
Ledger logit_ledger(const Model& model, const Trace& trace, std::span<const Intervention> what_ifs = {});

/// What each head of the last block adds to a class's logit: those rows of `logit_ledger` alone, in a fraction of its
/// time.      ->  (h)
std::vector<float> last_heads(const Model& model, const Trace& trace, int chosen);

}  // namespace vitrine
