#pragma once

#include <cstdint>

#include "core/training/pictures/pictures.h"

namespace vitrine {

/// The training pictures of a run in their order: endless, or the first n of the set again and again.
struct PictureStream {
    PictureSet set;
    std::uint64_t distinct = 0;  // n; 0: endless

    /// The number, within its set, of the picture at a position in the stream: the position itself, or position mod n
    /// mapped by a permutation of 0 … n − 1 that depends only on the set's seed and the epoch.
    std::uint64_t picture(std::uint64_t place) const;
};

/// A set of unseen pictures for testing, which no run learns from.
PictureSet fresh_pictures(PictureSet set, std::uint64_t seed);

}  // namespace vitrine
