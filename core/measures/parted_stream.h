#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <vector>

#include "core/tensor/ops.h"

namespace vitrine {

// Basis of the ledgers: one token's residual stream as a sum of parts.

/// A layer norm with its 1/σ for a token frozen at its value in the run.
struct FrozenNorm {
    const LayerNormWeights& weights;
    double inverse_deviation;
};
inline FrozenNorm frozen(const LayerNormWeights& weights, double variance, float epsilon) {
    return {weights, 1.0 / std::sqrt(variance + static_cast<double>(epsilon))};
}

/// A token's residual stream as a sum of named parts, in double, so that sums of some hundred parts are exact to float.
template <class Entry>
class PartedStream {
public:
    explicit PartedStream(std::size_t features) : features_(features) {}

    /// Adds a part, multiplied by a factor and, if not null, by a gain for each feature.
    template <class Number>
    void add(const Entry& entry, const Number* values, double factor = 1.0, const float* gain = nullptr) {
        entries_.push_back(entry);
        Sums& row = rows_.emplace_back(values, values + features_);
        if (factor != 1.0)
            for (double& x : row) x *= factor;
        if (gain != nullptr)
            for (std::size_t i = 0; i < features_; ++i) row[i] *= static_cast<double>(gain[i]);
    }

    void scale(double factor) {
        if (factor == 1.0) return;
        for (Sums& row : rows_)
            for (double& x : row) x *= factor;
    }

    /// Adds to each part `share` times the same part of another stream.
    void add(const PartedStream& other, double share) {
        assert(entries_ == other.entries_);
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (std::size_t i = 0; i < features_; ++i) rows_[r][i] += share * other.rows_[r][i];
    }

    /// Applies a linear map without a bias to every part.
    void map(const std::function<Tensor2(const Tensor2& rows)>& linear_map) {
        const Tensor2 mapped = linear_map(rows());
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (std::size_t i = 0; i < features_; ++i) rows_[r][i] = static_cast<double>(mapped(r, i));
    }

    /// Applies γ ⊙ (x − mean(x)) / σ to every part; β is added to the part `betas`.
    void normalise(const FrozenNorm& norm, const Entry& betas) {
        for (Sums& row : rows_) {
            double mean = 0.0;
            for (const double x : row) mean += x;
            mean /= static_cast<double>(features_);
            for (std::size_t i = 0; i < features_; ++i)
                row[i] = static_cast<double>(norm.weights.gamma(i)) * (row[i] - mean) * norm.inverse_deviation;
        }
        const auto at = std::find(entries_.begin(), entries_.end(), betas);
        if (at == entries_.end()) return add(betas, norm.weights.beta.data());
        Sums& row = rows_[static_cast<std::size_t>(at - entries_.begin())];
        for (std::size_t i = 0; i < features_; ++i) row[i] += static_cast<double>(norm.weights.beta(i));
    }

    /// Adds the difference between the actual token and the sum of its parts as another part, if it exceeds rounding.
    void add_rest(const float* token, const Entry& entry) {
        Sums rest(token, token + features_);
        double largest = 0.0, left = 0.0;
        for (std::size_t i = 0; i < features_; ++i) {
            largest = std::max(largest, std::abs(rest[i]));
            for (const Sums& row : rows_) rest[i] -= row[i];
            left = std::max(left, std::abs(rest[i]));
        }
        if (left > 1e-4 * largest) add(entry, rest.data());
    }

    const std::vector<Entry>& entries() const { return entries_; }

    Tensor2 rows() const {
        Tensor2 all = tensor2(rows_.size(), features_);
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (std::size_t i = 0; i < features_; ++i) all(r, i) = static_cast<float>(rows_[r][i]);
        return all;
    }

private:
    using Sums = std::vector<double>;  // (D)

    std::size_t features_;
    std::vector<Entry> entries_;
    std::vector<Sums> rows_;
};

}  // namespace vitrine
