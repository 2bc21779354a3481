#pragma once

#include <string>
#include <vector>

namespace vitrine {

/// Round positions on an axis: multiples of 1, 2 or 5 times a power of ten.
struct Ticks {
    std::vector<double> at;  // ascending, inside the range
    double step = 0;

    std::string words(double tick) const;  // with enough decimals to distinguish the ticks
};

/// At most `most` + 1 ticks in [low, high]; none for an empty range.
Ticks ticks_of(double low, double high, int most);

}  // namespace vitrine
