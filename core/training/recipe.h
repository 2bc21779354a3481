#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/training/optimiser.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/model.h"

namespace vitrine {

enum class Net {
    vit,  ///< the Vision Transformer that `Recipe::model` describes
    cnn,  ///< the standard convolutional net (core/cnn) of its image size and classes, without dropout
};
inline constexpr Named<Net> net_names[] = {{Net::vit, "vit"}, {Net::cnn, "cnn"}};
constexpr const char* name_of(Net net) { return name_in(net_names, net); }

/// Everything that decides a training run, and so its result: the same recipe, with a promised number of pictures and
/// the same number of threads, gives the same bits.
struct Recipe {
    Net net = Net::vit;  // in no file: only runs of a Vision Transformer are saved
    Config model;
    PictureSet pictures;
    /// How many of them there are to learn from; none: endless, no picture is seen twice.
    std::optional<std::uint64_t> distinct_pictures;
    Optimiser optimiser = Optimiser::muon;
    double learning_rate = 1e-2;
    double weight_decay = 0.05;    // of matrices
    double momentum = 0.9;         // Muon's
    double vector_rate = 0.3;      // AdamW's share of the rate for what Muon leaves to it
    double warm_up = 0.06;         // share of the run in which the rate rises
    double clip = 1.0;             // largest norm of the gradient; Muon does not feel its length
    double label_smoothing = 0.0;  // share of the probability that is spread over all classes
    double dropout = 0.0;
    int batch = 32;
    std::uint64_t seed = 1;  // of the first weights and of dropout
    std::string from;        // the model whose weights it began with; "" where it began from nothing
    std::optional<std::uint64_t> promised_pictures;
    std::optional<double> promised_seconds;
};

/// The measured recipe's model: 64 × 64 pixels, patches of 8, D 64, 4 blocks of 4 heads, MLP 128.
Recipe standard_recipe();

/// Another optimiser, at the learning rate that its runs of pictures usually have.
void choose_optimiser(Recipe& recipe, Optimiser optimiser);

/// Makes a recipe one of these pictures: they decide the classes.
void choose_pictures(Recipe& recipe, const PictureSet& pictures);

/// A model as a run begins: truncated normal weights, a sine–cosine grid of positions, a classifier of zeros.
Model untrained_model(const Recipe& recipe);

/// How pictures of a size that are learned from become pixels.
Preprocessing picture_preprocessing(int size);

/// The learning rate after a share (0 … 1) of the run: a straight warm-up, then half a cosine down to 0.5 %.
double learning_rate_at(const Recipe& recipe, double progress);

/// How hard a set's pictures are, in a word: "easy", "normal", "hard", or "mixed" where each is one of them.
std::vector<std::string> difficulty_words();
std::string difficulty_word(const PictureSet& set);
/// Throws Error, with the word alone, where it is none of them.
void set_difficulty(PictureSet& set, const std::string& word);

/// As JSON and back, for checkpoints. Throws Error where the text is no recipe.
std::string to_json(const Recipe& recipe);
Recipe recipe_from_json(const std::string& text, const std::string& name);

/// Error, with the remedy, where a recipe cannot be trained: sizes that do not divide, numbers out of range.
void check(const Recipe& recipe);

}  // namespace vitrine
