#pragma once

#include "core/training/pictures/pictograms.h"

namespace vitrine {

/// A kind of thing of the picture book. Kinds of one family share their parts, all but one.
struct ThingKind {
    const char* name;
    int family;
    Pictogram (*make)(Random& random);  // in a square from −1 to 1
    Circle tell;                        // where that one part lies
};

/// The twelve of the pictograms, then eight that are nearly one of them.
inline constexpr int thing_count = 20;
const ThingKind& thing_kind(int kind);

/// The area that a kind covers on average, in units of its square.
float thing_area(int kind);

}  // namespace vitrine
