#pragma once

#include <vector>

#include "core/training/text/text_recipe.h"
#include "core/training/trainer.h"

namespace vitrine {

/// A small, quick recipe: one block per stack, D 16.
inline TextRecipe small_text_recipe(TextTask task, TextLanguage to = TextLanguage::japanese) {
    TextRecipe r = standard_text_recipe(task, to);
    r.model.embedding_dim = 16;
    r.model.heads = 2;
    r.model.mlp_dim = 24;
    if (r.model.has_encoder()) r.model.blocks = 1;
    if (r.model.has_decoder()) r.model.decoder_blocks = 1;
    r.batch = 8;
    r.promised_examples = 160;
    return r;
}

inline void take_steps(Trainer<Texts>& trainer, int steps) {
    for (int i = 0; i < steps; ++i) trainer.step(trainer.progress());
}

inline std::vector<float> values_of(const FlatNumbers& row) { return {row.values().begin(), row.values().end()}; }

}  // namespace vitrine
