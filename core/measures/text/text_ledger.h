#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/text_attention.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// What adds to the row of the last stack that a word is said from.
struct TextLedgerEntry {
    enum class Part {
        word,             // √D · E of the word that is read there
        position,         // PE of its place
        head,             // heads_i W_O's own columns
        projection_bias,  // of W_O
        mlp,              // the MLP's output, its bias included
        norms,            // the β of all layer norms on the way
        generator_bias,
        rest,  // what some what-ifs change where no part can be named; absent in a plain run
    };
    Part part = Part::word;
    TextAttention attention = TextAttention::encoder;  // of head and projection_bias; of mlp its stack
    int block = 0;                                     // ℓ of head, projection_bias and mlp
    int head = 0;

    bool operator==(const TextLedgerEntry&) const = default;
};

/// "word", "position", "cross.2.head.3", "decoder.1.bias", "decoder.1.mlp", "norms", "generator.bias", "rest".
std::string name_of(const TextLedgerEntry& entry);

/// The exact ledger of one row's logits (direct logit attribution), with every layer norm's μ and σ as they are in this
/// run. With post-norm a part goes through every norm that stands behind it. The rows sum to the logits.
struct TextLedger {
    std::vector<TextLedgerEntry> entries;
    Tensor2 contributions;  // (entries, V or classes)
};

/// A run of one text, and the row of the stack that speaks: of a classifier row 0, [CLS].
struct TextLedgerOf {
    const TextModel& model;
    const TextTrace& trace;
    std::span<const Intervention> what_ifs = {};
    int row = 0;
};
TextLedger text_ledger(const TextLedgerOf& of);

}  // namespace vitrine
