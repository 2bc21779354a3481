#include "core/words/contrast.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/tensor/ops.h"

namespace vitrine {

namespace {

/// log(1 + e^x), without overflow.
double soft_plus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

float sigmoid_of(float x) { return 1 / (1 + std::exp(-x)); }

Tensor2 transpose_of(const Tensor2& square) {
    Tensor2 transpose = tensor2(square.shape()[1], square.shape()[0]);
    for (std::size_t i = 0; i < square.shape()[0]; ++i)
        for (std::size_t j = 0; j < square.shape()[1]; ++j) transpose(j, i) = square(i, j);
    return transpose;
}

/// The mean cross-entropy of the rows; the correct column of row i is i.
double own_cross_entropy(const Tensor2& logits) {
    const std::size_t n = logits.shape()[0];
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double own = static_cast<double>(logits(i, i));
        double most = own, all = 0;  // the largest logit is subtracted in every exponent, so that none overflows
        for (std::size_t j = 0; j < n; ++j) most = std::max(most, static_cast<double>(logits(i, j)));
        for (std::size_t j = 0; j < n; ++j) all += std::exp(static_cast<double>(logits(i, j)) - most);
        sum += std::log(all) + most - own;
    }
    return sum / static_cast<double>(n);
}

double pairwise_loss(const Tensor2& logits) {
    double sum = 0;
    for (std::size_t i = 0; i < logits.shape()[0]; ++i)
        for (std::size_t j = 0; j < logits.shape()[1]; ++j)
            sum += soft_plus(static_cast<double>(i == j ? -logits(i, j) : logits(i, j)));
    return sum / static_cast<double>(logits.shape()[0]);
}

}  // namespace

Tensor2 cosines_between(const Tensor2& a, const Tensor2& b) {
    assert(a.shape()[1] == b.shape()[1]);
    Tensor2 cosines = tensor2(a.shape()[0], b.shape()[0]);
    for (std::size_t i = 0; i < a.shape()[0]; ++i)
        for (std::size_t j = 0; j < b.shape()[0]; ++j) {
            double product = 0, length_a = 0, length_b = 0;
            for (std::size_t k = 0; k < a.shape()[1]; ++k) {
                const auto x = static_cast<double>(a(i, k)), y = static_cast<double>(b(j, k));
                product += x * y;
                length_a += x * x;
                length_b += y * y;
            }
            const double lengths = std::sqrt(length_a) * std::sqrt(length_b);
            cosines(i, j) = lengths > 0 ? static_cast<float>(product / lengths) : 0.0F;
        }
    return cosines;
}

std::vector<float> logits_of(const std::vector<float>& cosines, const LogitScale& scale) {
    std::vector<float> logits(cosines.size());
    std::ranges::transform(cosines, logits.begin(),
                           [&](float cosine) { return cosine * scale.scale + scale.bias.value_or(0.0F); });
    return logits;
}

std::vector<float> probabilities_of(const std::vector<float>& logits, const LogitScale& scale) {
    std::vector<float> p(logits.size());
    if (scale.bias) {
        std::ranges::transform(logits, p.begin(), sigmoid_of);
        return p;
    }
    Tensor2 row = tensor2(1, logits.size());
    std::ranges::copy(logits, row.data());
    std::ranges::copy_n(softmax(row).data(), static_cast<std::ptrdiff_t>(p.size()), p.begin());
    return p;
}

Contrast contrast_of(const Tensor2& cosines, const LogitScale& scale) {
    assert(cosines.shape()[0] == cosines.shape()[1]);
    Contrast c;
    c.logits = tensor2(cosines.shape()[0], cosines.shape()[1]);
    std::ranges::copy(logits_of({cosines.begin(), cosines.end()}, scale), c.logits.data());
    if (scale.bias) {
        c.by_image = tensor2(c.logits.shape()[0], c.logits.shape()[1]);
        std::transform(c.logits.begin(), c.logits.end(), c.by_image.data(), sigmoid_of);
        c.loss = pairwise_loss(c.logits);
        return c;
    }
    const Tensor2 by_columns = transpose_of(c.logits);
    c.by_image = softmax(c.logits);
    c.by_text = transpose_of(softmax(by_columns));
    c.loss = (own_cross_entropy(c.logits) + own_cross_entropy(by_columns)) / 2;
    return c;
}

}  // namespace vitrine
