#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/text_kinds.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// A contribution to the row of the last stack from which a word is predicted.
struct TextLedgerEntry {
    enum class Part {
        word,             // √D · E of the input word at that position
        position,         // PE of its position
        head,             // heads_i times the head's columns of W_O
        projection_bias,  // bias of W_O
        mlp,              // the MLP's output, its bias included
        norms,            // the β of all layer norms on the way
        generator_bias,
        rest,  // changes by what-ifs that cannot be assigned to a part; absent in a plain run
    };
    Part part = Part::word;
    TextAttention attention = TextAttention::encoder;  // for head and projection_bias; for mlp its stack
    int block = 0;                                     // ℓ, for head, projection_bias and mlp
    int head = 0;

    bool operator==(const TextLedgerEntry&) const = default;
};

/// "word", "position", "cross.2.head.3", "decoder.1.bias", "decoder.1.mlp", "norms", "generator.bias", "rest".
std::string name_of(const TextLedgerEntry& entry);

/// The exact ledger of one row's logits (direct logit attribution), with every layer norm's μ and σ as they are in this
/// run. With post-norm a part passes every later norm. The rows sum to the logits.
struct TextLedger {
    std::vector<TextLedgerEntry> entries;
    Tensor2 contributions;  // (entries, V or classes)
};

/// A run of one text, and the row of the stack before the generator; for a classifier row 0, [CLS].
struct TextLedgerOf {
    const TextModel& model;
    const TextTrace& trace;
    std::span<const Intervention> what_ifs = {};
    int row = 0;
};
TextLedger text_ledger(const TextLedgerOf& of);

}  // namespace vitrine
