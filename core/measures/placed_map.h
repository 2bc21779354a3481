#pragma once

namespace vitrine {

/// A head by its place.
struct PlacedHead {
    int block = 1, head = 0;

    bool operator==(const PlacedHead&) const = default;
};

/// A map of weights: of one query in one head.
struct PlacedMap {
    PlacedHead at;
    int query = 0;

    bool operator==(const PlacedMap&) const = default;
};

}  // namespace vitrine
