#pragma once

#include "core/text/text_backward.h"

namespace vitrine {

struct TextLossOptions {
    double label_smoothing = 0;  // a share of P is spread over all words (Szegedy et al. 2016)
    double scale = 1;            // of the gradient: 1 / words of the whole batch (`gold.size()`) for the mean
    double it_scale = 0;         // of the auxiliary head's: its weight / sentences of the whole batch
    double look_scale = 0;       // of the asked head's, in the same way
};

/// What a batch cost, and what each logit had to do with it.
struct TextLoss {
    double sum = 0;  // of −Σ P log Q over the rows, in nats; e^(sum / rows) is the perplexity where nothing is smoothed
    int rows = 0;     // words to be said, or sentences of a classifier
    int correct = 0;  // rows whose largest logit is the gold word or class
    int sentences = 0;
    int right = 0;      // sentences all of whose rows are correct; decoded greedily they come out right, if masked
    double it_sum = 0;  // the auxiliary head's cross-entropy, in nats
    int it_rows = 0, it_correct = 0;
    double look_sum = 0;          // of −log A["it", its noun] in the asked head, in nats
    TextOutputGradient gradient;  // ∂(sum · scale + it_sum · it_scale + look_sum · look_scale)/∂logits, ∂scores
};

/// The head of the encoder's last block that is asked to look from "it" to its noun: nothing else makes one do it.
inline constexpr int asked_head = 0;

/// Cross-entropy of each next word under teacher forcing (the decoder reads the gold words before it), or of the
/// class; and that of the noun of "it" where the model names it.
TextLoss text_loss(const TextTrace& trace, const TextLossOptions& options);

}  // namespace vitrine
