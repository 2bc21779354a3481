#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/files/image.h"

namespace vitrine {

/// How hard the pictures of a set are to read.
enum class Difficulty { easy, normal, hard };
inline constexpr Named<Difficulty> difficulty_names[] = {
    {Difficulty::easy, "easy"}, {Difficulty::normal, "normal"}, {Difficulty::hard, "hard"}};
constexpr const char* name_of(Difficulty difficulty) { return name_in(difficulty_names, difficulty); }

/// An endless set of pictures drawn by code: picture i is a function of the seed and i alone, the same bytes on every
/// platform, and the same scene at every size (grain apart).
struct PictureSet {
    std::uint64_t seed = 0;
    Difficulty difficulty = Difficulty::normal;
    bool pairs = false;  ///< also pictures of two small things that are alike or different
};

/// A class's number in a set: twelve pictograms, then "nothing" (background and distractors), then the pairs.
inline constexpr int nothing_class = 12, alike_class = 13, different_class = 14;

/// "fish" … "rocket", "nothing", and with pairs "two alike", "two different".
std::vector<std::string> picture_classes(bool pairs);

struct DrawnPicture {
    Image image;  // (size, size, 3)
    int label = 0;
    std::vector<std::uint8_t> object;      // (size, size)  0 … 255: how far the thing is seen there
    std::vector<std::uint8_t> distractor;  // likewise, what lies around it
    std::vector<std::uint8_t> occluder;    // and what lies over it
};

/// What is drawn: which picture of which set, at which size, of a class of its own choice or of this one.
struct PictureRequest {
    PictureSet set;
    std::uint64_t index = 0;
    int size = 64;
    std::optional<int> label;
};
DrawnPicture draw_picture(const PictureRequest& request);

/// A draw without the masks, into pixels that are there (size · size · 3); returns the label.
int draw_pixels(const PictureRequest& request, std::uint8_t* rgb);

}  // namespace vitrine
