#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/training/pictures/shapes.h"

namespace vitrine {

/// Index of a pictogram's colours.
enum class Ink { main, second, light, dark };

struct PictogramPart {
    PlaneShape shape;
    Ink ink = Ink::main;
    bool detail = false;  // inside the silhouette: without outline or shadow
};

/// A thing drawn from a few parts, painted in order, in a square from −1 to 1 (y down).
using Pictogram = std::vector<PictogramPart>;

/// fish house tree boat flower sun cat car mug key mushroom rocket
inline constexpr int pictogram_count = 12;

/// A pictogram of a kind (0 … 11); windows, petals and smiles are random.
Pictogram make_pictogram(int kind, Random& random);

/// Average area of a kind in the coordinates of its square, whose own area is 4.
float pictogram_area(int kind);

/// The same for a function's pictograms, over a few variants.
float average_area(Pictogram (*make)(Random& random), std::uint64_t first_seed = 0);

/// Uniform in [0, 1), a multiple of 2⁻²⁴: exact in float.
inline float uniform(Random& random) { return static_cast<float>(random.next() >> 40) * 0x1.0p-24F; }
inline float uniform(Random& random, float from, float to) { return from + (to - from) * uniform(random); }
inline bool happens(Random& random, float probability) { return uniform(random) < probability; }
inline int choose(Random& random, int count) { return static_cast<int>(random.next() % static_cast<unsigned>(count)); }

}  // namespace vitrine
