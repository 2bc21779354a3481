#pragma once

#include "core/text/text_backward.h"

namespace vitrine {

struct TextLossOptions {
    double label_smoothing = 0;  // share of P spread over all words (Szegedy et al. 2016)
    double scale = 1;            // factor of the gradient: 1 / words of the whole batch (`gold.size()`) for the mean
    double it_scale = 0;         // the same for the auxiliary head: its weight / sentences of the whole batch
    double look_scale = 0;       // the same for `asked_head`
};

/// Loss of a batch, and its gradient with respect to the outputs.
struct TextLoss {
    double sum = 0;  // −Σ P log Q, summed over the rows, in nats; e^(sum / rows) is the perplexity without smoothing
    int rows = 0;    // gold words, or sentences of a classifier
    int correct = 0;  // rows whose largest logit is the gold word or class
    int sentences = 0;
    int right = 0;      // sentences with all rows correct: greedy decoding would reproduce them, given a causal mask
    double it_sum = 0;  // the auxiliary head's cross-entropy, in nats
    int it_rows = 0;
    double look_sum = 0;          // −log A["it", its noun], summed over the rows of `asked_head`, in nats
    TextOutputGradient gradient;  // ∂(sum · scale + it_sum · it_scale + look_sum · look_scale)/∂logits, ∂scores
};

/// The head of the encoder's last block with a loss of its own for attending from "it" to its noun, which it would not
/// learn otherwise.
inline constexpr int asked_head = 0;

/// Cross-entropy of each next word under teacher forcing (the decoder reads the previous gold words), or of the class;
/// also of the noun of "it" if the model names it.
TextLoss text_loss(const TextTrace& trace, const TextLossOptions& options);

}  // namespace vitrine
