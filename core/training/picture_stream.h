#pragma once

#include <cstdint>

#include "core/training/pictures/pictures.h"

namespace vitrine {

/// The pictures that a run learns from, in their order: endless, or the first n of the set again and again.
struct PictureStream {
    PictureSet set;
    std::uint64_t distinct = 0;  // n; 0: endless

    /// The number in its set of the picture at a place of the stream: the place itself, or place mod n through a
    /// permutation of 0 … n − 1 of each epoch's own, a function of the set's seed and the epoch alone.
    std::uint64_t picture(std::uint64_t place) const;
};

/// The set of pictures that no run learns from.
PictureSet fresh_pictures(PictureSet set, std::uint64_t seed);

}  // namespace vitrine
