#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/training/pictures/pictures.h"
#include "core/training/runs/run_recipe.h"
#include "core/vit/model.h"

namespace vitrine {

enum class Net {
    vit,  ///< the Vision Transformer that `Recipe::model` describes
    cnn,  ///< the standard convolutional net (core/cnn) of its image size and classes, without dropout
};
inline constexpr Named<Net> net_names[] = {{Net::vit, "vit"}, {Net::cnn, "cnn"}};
constexpr const char* name_of(Net net) { return name_in(net_names, net); }

/// Everything that decides a run of pictures, and so its result.
struct Recipe : RunRecipe {
    using Family = Pictures;

    Net net = Net::vit;  // in no file: only runs of a Vision Transformer are saved
    Config model;
    PictureSet pictures;
    /// How many of them there are to learn from; none: endless, no picture is seen twice.
    std::optional<std::uint64_t> distinct_pictures;
    double dropout = 0.0;
    std::string from;  // the model whose weights it began with; "" where it began from nothing
};

/// The measured recipe's model: 64 × 64 pixels, patches of 8, D 64, 4 blocks of 4 heads, MLP 128.
Recipe standard_recipe();

/// Makes a recipe one of these pictures: they decide the classes.
void choose_pictures(Recipe& recipe, const PictureSet& pictures);

/// A model as a run begins: truncated normal weights, a sine–cosine grid of positions, a classifier of zeros.
Model untrained_model(const Recipe& recipe);

/// How pictures of a size that are learned from become pixels.
Preprocessing picture_preprocessing(int size);

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
