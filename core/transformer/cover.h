#pragma once

#include <vector>

namespace vitrine {

/// Kinds of cover over patches of an image.
enum class Cover {
    mean,   // the mean colour of this picture
    grey,   // the value that preprocessing maps to 0
    blur,   // the picture itself, blurred
    token,  // the pixels stay; the patches' tokens are zeroed before positions are added
};

/// An edit (core/transformer/intervention.h): covers patches of the picture before they are embedded. `tokens` are the
/// patches' rows in the sequence before any shuffle; `first` is the row of the first patch. Not for Cover::token.
struct CoverPatches {
    Cover cover = Cover::grey;
    int first = 0;
    std::vector<int> tokens = {};  // in ascending order
    bool operator==(const CoverPatches&) const = default;
};

}  // namespace vitrine
