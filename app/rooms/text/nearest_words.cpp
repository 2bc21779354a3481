#include "app/rooms/text/nearest_words.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

std::vector<WordCandidate> nearest_words(const Parameter& embedding, int width, int word) {
    const std::span<const float> all(embedding.data(), embedding.size());
    const auto columns = static_cast<std::size_t>(width), rows = all.size() / columns;
    const auto dot = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t i = 0; i < columns; ++i)
            sum += static_cast<double>(all[a * columns + i]) * static_cast<double>(all[b * columns + i]);
        return sum;
    };
    const auto own = static_cast<std::size_t>(word);
    std::vector<WordCandidate> found;
    for (std::size_t other = special_words.size(); other < rows; ++other) {
        if (other == own) continue;
        const double lengths = std::sqrt(dot(own, own) * dot(other, other));
        found.push_back({static_cast<int>(other), lengths > 0 ? dot(own, other) / lengths : 0});
    }
    std::ranges::stable_sort(found, std::greater<>(), &WordCandidate::probability);
    return found;
}

}  // namespace vitrine
