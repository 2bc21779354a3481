#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// A part that contributes to the logits through the tokens that the classification head reads.
struct LedgerEntry {
    enum class Part {
        embedding,        // z₀ of the tokens that are read
        head,             // heads_i times the head's columns of W_O
        projection_bias,  // bias of W_O
        mlp,              // the MLP's output, its bias included
        pooling_bias,     // biases of the values and of W_O of an attention pooling
        pooling_mlp,      // the output of the pooling's MLP
        norms,            // the β of all layer norms on the residual stream, the final norm included
        classifier_bias,
        rest,  // changes by what-ifs that cannot be assigned to a part; absent in a plain run
    };
    Part part = Part::embedding;
    int block = 0;  // ℓ, for head, projection_bias and mlp
    int head = 0;

    bool operator==(const LedgerEntry&) const = default;
};

/// "embedding", "block.3.head.2", "block.3.bias", "block.3.mlp", "pooling.bias", "pooling.mlp", "norms",
/// "classifier.bias", "rest".
std::string name_of(const LedgerEntry& entry);

/// The exact ledger of the logits (direct logit attribution, with every layer norm's σ frozen at its value in this
/// run): each part's ⟨γ ⊙ (x − mean(x)) / σ, w_c⟩. An attention pooling is linear in the patches, with its weights A
/// frozen, too; its MLP is a part. The rows sum to the logits.
struct Ledger {
    std::vector<LedgerEntry> entries;
    Tensor2 contributions;  // (entries, classes)

    /// An entry's contribution to a class's logit, or to its lead over another class.
    float contribution(std::size_t entry, int chosen, int against = -1) const {
        const float own = contributions(entry, static_cast<std::size_t>(chosen));
        return against < 0 ? own : own - contributions(entry, static_cast<std::size_t>(against));
    }
};

/// The ledger of a run of one image, with any norm, with or without skips. Asserts a classifier.
Ledger logit_ledger(const Model& model, const Trace& trace, std::span<const Intervention> what_ifs = {});

/// Contribution of each head in the last block to a class's logit, as in `logit_ledger` but much faster.      ->  (h)
std::vector<float> last_heads(const Model& model, const Trace& trace, int chosen);

}  // namespace vitrine
