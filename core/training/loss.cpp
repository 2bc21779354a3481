#include "core/training/loss.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vitrine {

Loss cross_entropy(const Tensor2& logits, std::span<const int> labels, const LossOptions& options) {
    const std::size_t images = logits.shape()[0], classes = logits.shape()[1];
    assert(labels.size() == images);
    Loss loss;
    loss.gradient = tensor2(images, classes);
    const double spread = options.label_smoothing / static_cast<double>(classes);
    for (std::size_t b = 0; b < images; ++b) {
        const float* const z = &logits(b, 0);
        const auto label = static_cast<std::size_t>(labels[b]);
        const auto best = static_cast<std::size_t>(std::max_element(z, z + classes) - z);
        double sum = 0;
        for (std::size_t i = 0; i < classes; ++i) sum += std::exp(static_cast<double>(z[i] - z[best]));
        const double log_sum = std::log(sum) + static_cast<double>(z[best]);
        for (std::size_t i = 0; i < classes; ++i) {
            const double truth = spread + (i == label ? 1 - options.label_smoothing : 0);
            const double log_q = static_cast<double>(z[i]) - log_sum;
            loss.sum -= truth * log_q;
            loss.gradient(b, i) = static_cast<float>((std::exp(log_q) - truth) * options.scale);
        }
        loss.correct += best == label ? 1 : 0;
    }
    return loss;
}

}  // namespace vitrine
