#pragma once

#include "core/training/pictures/pictograms.h"

namespace vitrine {

/// A kind of thing in the picture book. Kinds of one family share all parts but one, which tells them apart.
struct ThingKind {
    const char* name;
    int family;
    Pictogram (*make)(Random& random);  // in a square from −1 to 1
    Circle tell;                        // place of that part
};

/// The twelve pictograms' kinds, then eight that look nearly like one of them.
inline constexpr int thing_count = 20;
const ThingKind& thing_kind(int kind);

/// Average area of a kind in the coordinates of its square, whose own area is 4.
float thing_area(int kind);

}  // namespace vitrine
