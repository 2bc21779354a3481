#pragma once

namespace vitrine {

/// The place of a head: block ℓ = 1 … L, head 0 … h − 1.
struct PlacedHead {
    int block = 1, head = 0;

    bool operator==(const PlacedHead&) const = default;
};

/// The attention weights of one query in one head, shown as a map.
struct PlacedMap {
    PlacedHead at;
    int query = 0;

    bool operator==(const PlacedMap&) const = default;
};

}  // namespace vitrine
