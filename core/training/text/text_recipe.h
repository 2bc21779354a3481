#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/text/sentences.h"
#include "core/text/text_model.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// Everything that decides how a text Transformer learns, and so what comes out: the same recipe, with a promised
/// number of sentences and the same number of threads, gives the same bits.
struct TextRecipe {
    TextConfig model;
    TextSet sentences;
    Optimiser optimiser = Optimiser::muon;
    double learning_rate = 1e-2;
    double weight_decay = 0.01;  // of matrices
    double momentum = 0.95;      // Muon's
    double vector_rate = 1;      // AdamW's share of the rate for what Muon leaves to it
    double warm_up = 0.06;       // share of the run in which the rate rises
    double clip = 1;             // largest norm of the gradient; Muon does not feel its length
    double label_smoothing = 0;  // share of the probability that is spread over all words
    double it_weight = 1;  // where the model names the noun of "it": of the auxiliary head's and the asked head's loss
    int batch = 64;
    std::uint64_t seed = 1;  // of the first weights
    std::optional<std::uint64_t> promised_sentences;
    std::optional<double> promised_seconds;
};

/// The measured recipe of a task: its usual model, and as many sentences as it needs to be good.
TextRecipe standard_text_recipe(TextTask task, TextLanguage to);

/// Another optimiser, at the learning rate that its runs of texts usually have.
void choose_optimiser(TextRecipe& recipe, Optimiser optimiser);

/// A model as a run begins.
TextModel untrained_text_model(const TextRecipe& recipe);

/// The learning rate after a share (0 … 1) of the run: a straight warm-up, then half a cosine down to 1 %.
double learning_rate_at(const TextRecipe& recipe, double progress);

/// As JSON and back, for checkpoints. Throws Error where the text is no recipe.
std::string to_json(const TextRecipe& recipe);
TextRecipe text_recipe_from_json(const std::string& text, const std::string& name);

/// Whether the words of a checkpoint are a text's recipe, not one of pictures.
bool is_text_recipe(const std::string& text);

/// Error, with the remedy, where a recipe cannot be learned from: sizes that do not divide, numbers out of range.
void check(const TextRecipe& recipe);

}  // namespace vitrine
