#include "core/measures/token_collapse.h"

#include <cmath>
#include <vector>

namespace vitrine {

double mean_pair_cosine(const Tensor2& tokens) {
    // For unit rows u, ‖Σ u‖² is the sum of the cosines of all pairs, including each row with itself.
    std::vector<double> sum(tokens.shape()[1], 0.0);
    double count = 0, all = 0;
    for (std::size_t i = 0; i < tokens.shape()[0]; ++i) {
        const float* const row = &tokens(i, 0);
        double squares = 0;
        for (std::size_t j = 0; j < sum.size(); ++j)
            squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
        if (squares == 0) continue;
        const double norm = std::sqrt(squares);
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += static_cast<double>(row[j]) / norm;
        ++count;
    }
    for (const double x : sum) all += x * x;
    return count > 1 ? (all - count) / (count * (count - 1)) : 0;
}

}  // namespace vitrine
