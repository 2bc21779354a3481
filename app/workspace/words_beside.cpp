#include "app/workspace/words_beside.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

LogitScale at_temperature(const LogitScale& learned, int power) {
    return {learned.scale * std::pow(2.0F, -static_cast<float>(power) / 2), learned.bias};
}

int WordsBeside::best_temperature() const {
    const auto least = std::ranges::min_element(batch->contrast, {}, &Contrast::loss);
    return static_cast<int>(least - batch->contrast.begin()) + coldest;
}

}  // namespace vitrine
