#include <Eigen/Core>
#include <algorithm>
#include <string>

#include "core/tensor/product_ways.h"

// Products by Eigen, header-only, for machines without oneDNN.

namespace vitrine {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using Stored = Eigen::Map<const Matrix, Eigen::Unaligned, Stride>;
using Result = Eigen::Map<Matrix, Eigen::Unaligned, Stride>;
using Row = Eigen::Map<const Eigen::RowVectorXf>;

Eigen::Index to_index(std::size_t n) { return static_cast<Eigen::Index>(n); }

Stored stored(const MatrixView& m, const float* data) {
    return {data, to_index(m.rows), to_index(m.columns), Stride(to_index(m.stride))};
}

/// C = α A B, or C += α A B; either matrix may be transposed.
template <class A, class B>
void multiply_one(const ProductPart& p, const A& a, const B& b, Result& c) {
    if (p.into == Product::Into::sum)
        c.noalias() += p.alpha * a * b;
    else
        c.noalias() = p.alpha * a * b;
}

/// Eigen packs matrices in every product, so this keeps the weights as stored.
class EigenWeights : public PackedWeights {
public:
    explicit EigenWeights(const LinearWeights& weights) : weight_(weights.weight), bias_(weights.bias) {}

    void apply(const float* x, std::size_t rows, float* y) const override {
        const std::size_t outputs = weight_.shape()[0], inputs = weight_.shape()[1];
        by_library::multiply({.a = {{x, rows, inputs, inputs}, rows * inputs},
                              .b = {{weight_.data(), outputs, inputs, inputs}, outputs * inputs},
                              .transpose_a = Transpose::no,
                              .transpose_b = Transpose::yes,
                              .alpha = 1.0F,
                              .into = Product::Into::empty,
                              .bias = bias_.data(),
                              .count = 1,
                              .kind = ProductKind::packed,
                              .c_stride = outputs,
                              .c_distance = rows * outputs},
                             y);
    }

    void unpack(float* stored) const override { std::copy_n(weight_.data(), weight_.size(), stored); }

private:
    Parameter weight_, bias_;
};

}  // namespace

namespace by_library {

std::string name() {
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION);
}

bool multiply(const ProductPart& p, float* out) {
    [[maybe_unused]] static const bool noted = (note_kernel("Eigen"), true);
    for (std::size_t i = 0; i < p.count; ++i) {
        const Stored a = stored(p.a.matrix, p.a.matrix.data + i * p.a.distance);
        const Stored b = stored(p.b.matrix, p.b.matrix.data + i * p.b.distance);
        Result c(out + i * p.c_distance, to_index(p.rows()), to_index(p.columns()), Stride(to_index(p.c_stride)));
        const bool turn_a = p.transpose_a == Transpose::yes, turn_b = p.transpose_b == Transpose::yes;
        if (turn_a && turn_b)
            multiply_one(p, a.transpose(), b.transpose(), c);
        else if (turn_a)
            multiply_one(p, a.transpose(), b, c);
        else if (turn_b)
            multiply_one(p, a, b.transpose(), c);
        else
            multiply_one(p, a, b, c);
        if (p.bias != nullptr) c.rowwise() += Row(p.bias, c.cols());
    }
    return true;
}

std::unique_ptr<PackedWeights> pack(const LinearWeights& weights, std::size_t) {
    return std::make_unique<EigenWeights>(weights);
}

}  // namespace by_library

}  // namespace vitrine
