#include <memory>
#include <string>
#include <vector>

#include "core/tensor/product_ways.h"
#include "core/tensor/recycling_allocator.h"
#include "core/tensor/rows.h"

// Products by our own panels with row kernels: identical results on every processor with the same vector unit.

namespace vitrine {

namespace {

using Numbers = std::vector<float, RecyclingAllocator<float>>;  // aligned to 64 bytes

float* scratch() {
    thread_local Numbers own(panel_scratch);
    return own.data();
}

void note_panels() {
    [[maybe_unused]] static const bool noted = (note_kernel(std::string("panels ") + vector_variant()), true);
}

/// Strides of op(M).
struct Distances {
    std::size_t row, column;
};

Distances distances(const MatrixView& m, Transpose transpose) {
    return transpose == Transpose::yes ? Distances{1, m.stride} : Distances{m.stride, 1};
}

class PanelWeights : public PackedWeights {
public:
    explicit PanelWeights(const LinearWeights& weights)
        : inputs_(weights.weight.shape()[1]),
          outputs_(weights.weight.shape()[0]),
          panels_(row_kernels().panels->packed_size(inputs_, outputs_)),
          bias_(weights.bias) {
        row_kernels().panels->pack({weights.weight.data(), 1, inputs_, inputs_, outputs_}, panels_.data());
    }

    void apply(const float* x, std::size_t rows, float* y) const override {
        note_panels();
        row_kernels().panels->multiply({.a = x,
                                        .a_row = inputs_,
                                        .a_column = 1,
                                        .b = nullptr,
                                        .b_row = 0,
                                        .b_column = 0,
                                        .panels = panels_.data(),
                                        .c = y,
                                        .c_row = outputs_,
                                        .rows = rows,
                                        .columns = outputs_,
                                        .inner = inputs_,
                                        .alpha = 1.0F,
                                        .bias = bias_.data(),
                                        .adds = false,
                                        .scratch = scratch()});
    }

    void unpack(float* stored) const override {
        row_kernels().panels->unpack(panels_.data(), inputs_, outputs_, stored);
    }

private:
    std::size_t inputs_, outputs_;
    Numbers panels_;
    Parameter bias_;
};

}  // namespace

namespace by_panels {

void multiply(const ProductPart& p, float* c) {
    note_panels();
    const Distances a = distances(p.a.matrix, p.transpose_a), b = distances(p.b.matrix, p.transpose_b);
    for (std::size_t i = 0; i < p.count; ++i)
        row_kernels().panels->multiply({.a = p.a.matrix.data + i * p.a.distance,
                                        .a_row = a.row,
                                        .a_column = a.column,
                                        .b = p.b.matrix.data + i * p.b.distance,
                                        .b_row = b.row,
                                        .b_column = b.column,
                                        .panels = nullptr,
                                        .c = c + i * p.c_distance,
                                        .c_row = p.c_stride,
                                        .rows = p.rows(),
                                        .columns = p.columns(),
                                        .inner = p.inner(),
                                        .alpha = p.alpha,
                                        .bias = p.bias,
                                        .adds = p.into == Product::Into::sum,
                                        .scratch = scratch()});
}

std::unique_ptr<PackedWeights> pack(const LinearWeights& weights) { return std::make_unique<PanelWeights>(weights); }

}  // namespace by_panels

}  // namespace vitrine
