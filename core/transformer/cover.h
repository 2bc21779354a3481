#pragma once

#include <vector>

namespace vitrine {

/// What lies over patches of a picture.
enum class Cover {
    mean,   // the mean colour of this picture
    grey,   // the value that preprocessing maps to 0
    blur,   // the picture itself, blurred
    token,  // the pixels stay; the patches' tokens are zeroed before positions are added
};

/// An edit (core/transformer/intervention.h): covers patches of the picture before they are embedded. They are named by
/// their rows in the sequence of an order that no shuffle changes; `first` is the first patch's row. Not for
/// Cover::token.
struct CoverPatches {
    static constexpr bool adds_up = true;
    Cover cover = Cover::grey;
    int first = 0;
    std::vector<int> tokens = {};  // in ascending order
    bool operator==(const CoverPatches&) const = default;
};

}  // namespace vitrine
