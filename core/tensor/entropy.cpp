#include "core/tensor/entropy.h"

#include "core/tensor/rows.h"

namespace vitrine {

namespace {

float positive(double negative_entropy) {
    return negative_entropy < 0.0 ? static_cast<float>(-negative_entropy) : 0.0F;
}

}  // namespace

float entropy(std::span<const float> p) { return positive(row_kernels().entropy_terms(p.data(), p.size())); }

float entropy_of_mean(std::span<const float> a, std::span<const float> b) {
    return positive(row_kernels().entropy_terms_of_mean(a.data(), b.data(), a.size()));
}

}  // namespace vitrine
