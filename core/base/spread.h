#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vitrine {

/// Mean and standard deviation of each place of many rows of one length, which come one by one.
class Spread {
public:
    void add(std::span<const float> row);

    std::size_t count() const { return count_; }
    std::vector<float> mean() const;
    /// Of these rows themselves: the sum of squares is divided by their number.
    std::vector<float> deviation() const;

private:
    std::size_t count_ = 0;
    std::vector<double> mean_, squares_;  // squares: sums of squared distances from the mean
};

}  // namespace vitrine
