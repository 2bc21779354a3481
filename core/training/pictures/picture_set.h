#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"

namespace vitrine {

/// How hard the pictures of a set are to read.
enum class Difficulty { easy, normal, hard };
inline constexpr Named<Difficulty> difficulty_names[] = {
    {Difficulty::easy, "easy"}, {Difficulty::normal, "normal"}, {Difficulty::hard, "hard"}};
constexpr const char* name_of(Difficulty difficulty) { return name_in(difficulty_names, difficulty); }

/// Styles of drawn scenes.
enum class Scenes {
    pictograms,   ///< twelve pictograms on coloured backgrounds
    picturebook,  ///< twenty things, some nearly alike, in landscapes and rooms, with light and textures
};
inline constexpr Named<Scenes> scenes_names[] = {{Scenes::pictograms, "pictograms"},
                                                 {Scenes::picturebook, "picturebook"}};
constexpr const char* name_of(Scenes scenes) { return name_in(scenes_names, scenes); }

/// An endless set of drawn pictures: picture i is a function of the seed and i, the same bytes on every platform, and
/// the same scene at every size (except for the grain).
struct PictureSet {
    std::uint64_t seed = 0;
    Difficulty difficulty = Difficulty::normal;
    bool pairs = false;  ///< also pictures of two small things that are alike or different
    Scenes scenes = Scenes::pictograms;
    bool mixed = false;  ///< each picture with its own difficulty, instead of one for all
};

/// Numbers of the special classes in a set: the things come first, then "nothing" (background and distractors), then
/// the pairs.
struct ClassNumbers {
    int nothing = 0;
    int alike() const { return nothing + 1; }
    int different() const { return nothing + 2; }
};
ClassNumbers class_numbers(Scenes scenes);
/// Numbers for the pictograms.
inline constexpr int nothing_class = 12, alike_class = 13, different_class = 14;

/// "fish" … "rocket", "nothing", and with pairs "two alike", "two different".
std::vector<std::string> picture_classes(bool pairs, Scenes scenes = Scenes::pictograms);
/// The set with these classes, with or without pairs; none if there is no such set.
std::optional<PictureSet> set_with_classes(const std::vector<std::string>& labels);

/// Which picture to draw: set, number and size, with its own random class or a given one.
struct PictureRequest {
    PictureSet set;
    std::uint64_t index = 0;
    int size = 64;
    std::optional<int> label;
};

}  // namespace vitrine
