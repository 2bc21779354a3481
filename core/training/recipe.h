#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/training/pictures/picture_set.h"
#include "core/training/runs/run_recipe.h"
#include "core/vit/model.h"

namespace vitrine {

enum class Net {
    vit,  ///< the Vision Transformer that `Recipe::model` describes
    cnn,  ///< the standard convolutional net (core/cnn) of its image size and classes, without dropout
};
inline constexpr Named<Net> net_names[] = {{Net::vit, "vit"}, {Net::cnn, "cnn"}};
constexpr const char* name_of(Net net) { return name_in(net_names, net); }

/// Everything that determines a run on pictures, and so its result.
struct Recipe : RunRecipe {
    using Family = Pictures;

    Net net = Net::vit;  // not stored in files: only runs of a Vision Transformer are saved
    Config model;
    PictureSet pictures;
    /// Number of distinct training pictures; none: endless, no picture is repeated.
    std::optional<std::uint64_t> distinct_pictures;
    double dropout = 0.0;
    std::string from;  // name of the initial model; "" if there is none
};

/// The default recipe, for which results were measured: 64 × 64 pixels, patches of 8, D 64, 4 blocks of 4 heads, M 128.
Recipe standard_recipe();

/// Sets a recipe's pictures, which determine its classes.
void choose_pictures(Recipe& recipe, const PictureSet& pictures);

/// The initial model of a run: truncated normal weights, a sine–cosine grid of positions, a zero classifier.
Model untrained_model(const Recipe& recipe);

/// Preprocessing of training pictures of a size.
Preprocessing picture_preprocessing(int size);

/// Difficulties as words: "easy", "normal", "hard", or "mixed" if it varies by picture.
std::vector<std::string> difficulty_words();
std::string difficulty_word(const PictureSet& set);
/// Throws Error, with only the word, for an unknown one.
void set_difficulty(PictureSet& set, const std::string& word);

/// JSON for checkpoints, and back. Throws Error if the text is not a recipe.
std::string to_json(const Recipe& recipe);
Recipe recipe_from_json(const std::string& text, const std::string& name);

/// Throws Error, with the remedy, if a recipe cannot be trained: sizes that do not divide, numbers out of range.
void check(const Recipe& recipe);

}  // namespace vitrine
