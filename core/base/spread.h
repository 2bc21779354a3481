#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vitrine {

/// Running mean and standard deviation of each column, over rows of one length that are added one by one.
class Spread {
public:
    void add(std::span<const float> row);

    std::size_t count() const { return count_; }
    std::vector<float> mean() const;
    /// Population standard deviation: the sum of squared distances is divided by the number of rows.
    std::vector<float> deviation() const;

private:
    std::size_t count_ = 0;
    std::vector<double> mean_, squares_;  // squares: sums of squared distances from the mean
};

}  // namespace vitrine
