#include "core/tensor/matmul.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <utility>

#include "core/base/team.h"
#include "core/tensor/product_table.h"
#include "core/tensor/product_ways.h"
#include "core/tensor/recycling_allocator.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

constexpr double flops_per_microsecond = 100e3;  // for one core; only decides the number of threads
constexpr std::size_t fewest_rows = 16;          // per thread, for splitting a product

int threads_for_product(std::size_t rows, std::size_t columns, std::size_t inner) {
    return threads_for(2.0 * static_cast<double>(rows * columns * inner) / flops_per_microsecond);
}

ProductKind kind_of(const Product& p) {
    if (p.count > 1) return ProductKind::stack;
    return p.varied ? ProductKind::varied : ProductKind::stored;
}

/// Computes a part on the calling thread by the table's kernel; by panels if the library has no kernel for it.
void multiply_part(const ProductPart& p, float* c) {
    const bool library = way_of({p.kind, p.rows(), p.columns(), p.inner()}) == ProductWay::library;
    if (!library || !by_library::multiply(p, c)) by_panels::multiply(p, c);
}

/// Keeps the matrices unpacked last: provenance and pictures read one matrix number by number.
class NewestStored {
public:
    void keep(std::shared_ptr<const float> matrix, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        while (!kept_.empty() && sum_ + bytes > most) {
            sum_ -= kept_.front().second;
            kept_.pop_front();
        }
        if (bytes > most) return;
        kept_.emplace_back(std::move(matrix), bytes);
        sum_ += bytes;
    }

private:
    static constexpr std::size_t most = std::size_t{64} << 20;

    std::mutex mutex_;
    std::size_t sum_ = 0;
    std::deque<std::pair<std::shared_ptr<const float>, std::size_t>> kept_;
};

std::unique_ptr<PackedWeights> packed_by_table(const LinearWeights& weights, std::size_t typical_rows) {
    const ProductShape shape{ProductKind::packed, typical_rows, weights.weight.shape()[0], weights.weight.shape()[1]};
    std::unique_ptr<PackedWeights> packed;
    if (way_of(shape) == ProductWay::library) packed = by_library::pack(weights, typical_rows);
    return packed != nullptr ? std::move(packed) : by_panels::pack(weights);
}

ProductPart whole(const Product& p) {
    ProductPart all{.a = {p.a, p.a.rows * p.a.stride},
                    .b = {p.b, p.b.rows * p.b.stride},
                    .transpose_a = p.transpose_a,
                    .transpose_b = p.transpose_b,
                    .alpha = p.alpha,
                    .into = p.into,
                    .bias = p.bias,
                    .count = p.count,
                    .kind = kind_of(p),
                    .c_stride = 0,
                    .c_distance = 0};
    all.c_stride = all.columns();
    all.c_distance = all.rows() * all.columns();
    return all;
}

void keep_rows(MatrixView& m, Share share) {
    m.data += share.first * m.stride;
    m.rows = share.last - share.first;
}

void keep_columns(MatrixView& m, Share share) {
    m.data += share.first;
    m.columns = share.last - share.first;
}

/// Computes a share of the matrices.
void multiply_matrices(ProductPart part, Share share, float* c) {
    part.a.matrix.data += share.first * part.a.distance;
    part.b.matrix.data += share.first * part.b.distance;
    part.count = share.last - share.first;
    multiply_part(part, c + share.first * part.c_distance);
}

/// Computes a share of the rows of every C.
void multiply_rows(ProductPart part, Share share, float* c) {
    if (part.transpose_a == Transpose::yes)
        keep_columns(part.a.matrix, share);
    else
        keep_rows(part.a.matrix, share);
    multiply_part(part, c + share.first * part.c_stride);
}

/// Computes a share of the columns of every C.
void multiply_columns(ProductPart part, Share share, float* c) {
    if (part.transpose_b == Transpose::yes)
        keep_rows(part.b.matrix, share);
    else
        keep_columns(part.b.matrix, share);
    if (part.bias != nullptr) part.bias += share.first;
    multiply_part(part, c + share.first);
}

/// A product with an inner dimension of 0: sets C to the bias (or zeros), or adds the bias to C.
void multiply_nothing(const ProductPart& p, float* c) {
    for (std::size_t i = 0; i < p.count; ++i)
        for (std::size_t row = 0; row < p.rows(); ++row)
            for (std::size_t column = 0; column < p.columns(); ++column) {
                float& sum = c[i * p.c_distance + row * p.c_stride + column];
                sum = (p.into == Product::Into::sum ? sum : 0.0F) + (p.bias != nullptr ? p.bias[column] : 0.0F);
            }
}

}  // namespace

std::string product_library() {
    return by_library::name() + "; panels, " + vector_variant() + "; table " + product_table_name();
}

std::vector<std::string> product_kernels() { return noted_kernels(); }

void multiply(const Product& p, float* c) {
    assert(p.bias == nullptr || p.alpha == 1.0F);
    const ProductPart all = whole(p);
    const std::size_t rows = all.rows(), columns = all.columns();
    if (p.count == 0 || rows == 0 || columns == 0) return;
    if (all.inner() == 0) return multiply_nothing(all, c);
    const int members = threads_for_product(p.count * rows, columns, all.inner());
    const auto m = static_cast<std::size_t>(members);
    if (members == 1) return multiply_part(all, c);
    const auto distribute = [&](std::size_t count, void (*multiply_some)(ProductPart, Share, float*)) {
        parallel_shares(count, members, [&](std::size_t first, std::size_t last) {
            multiply_some(all, {first, last}, c);
        });
    };
    if (p.count % m == 0 || p.count >= 8 * m) return distribute(p.count, multiply_matrices);
    if (rows >= m * fewest_rows || rows >= columns) return distribute(rows, multiply_rows);
    distribute(columns, multiply_columns);
}

PackedLinear::PackedLinear(const LinearWeights& weights, std::size_t typical_rows)
    : inputs_(weights.weight.shape()[1]),
      outputs_(weights.weight.shape()[0]),
      weights_(packed_by_table({weights.weight.stored(), weights.bias, {}}, typical_rows)) {}

PackedLinear::~PackedLinear() = default;

std::shared_ptr<const float> PackedLinear::stored() const {
    static NewestStored newest;
    const std::lock_guard lock(mutex_);
    if (std::shared_ptr<const float> last = last_stored_.lock()) return last;
    const std::size_t bytes = inputs_ * outputs_ * sizeof(float);
    const std::shared_ptr<float> matrix(static_cast<float*>(memory_pool::allocate(bytes)),
                                        [bytes](float* numbers) { memory_pool::release(numbers, bytes); });
    weights_->unpack(matrix.get());
    last_stored_ = matrix;
    newest.keep(matrix, bytes);
    return matrix;
}

void PackedLinear::apply(const float* x, std::size_t rows, float* y) const {
    const int most = static_cast<int>(rows / fewest_rows) + 1;
    parallel_shares(rows, std::min(most, threads_for_product(rows, outputs_, inputs_)),
                    [&](std::size_t first, std::size_t last) {
                        weights_->apply(x + first * inputs_, last - first, y + first * outputs_);
                    });
}

}  // namespace vitrine
