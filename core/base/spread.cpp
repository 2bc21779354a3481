#include "core/base/spread.h"

#include <cassert>
#include <cmath>

namespace vitrine {

void Spread::add(std::span<const float> row) {
    if (count_ == 0) {
        mean_.assign(row.size(), 0.0);
        squares_.assign(row.size(), 0.0);
    }
    assert(row.size() == mean_.size());
    ++count_;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double apart = static_cast<double>(row[i]) - mean_[i];
        mean_[i] += apart / static_cast<double>(count_);
        squares_[i] += apart * (static_cast<double>(row[i]) - mean_[i]);
    }
}

std::vector<float> Spread::mean() const {
    std::vector<float> mean;
    for (const double x : mean_) mean.push_back(static_cast<float>(x));
    return mean;
}

std::vector<float> Spread::deviation() const {
    std::vector<float> deviation;
    for (const double x : squares_) deviation.push_back(static_cast<float>(std::sqrt(x / static_cast<double>(count_))));
    return deviation;
}

}  // namespace vitrine
