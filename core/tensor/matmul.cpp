#include "core/tensor/matmul.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <map>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace vitrine {

namespace {

constexpr double microseconds_worth_a_thread = 60;
constexpr double flops_per_microsecond = 100e3;  // of one core; only decides how many are used

/// OpenMP's thread count for the current thread, put back at the end of the scope.
class ThreadCount {
public:
    explicit ThreadCount(int threads) : before_(omp_get_max_threads()) {
        if (threads != before_) omp_set_num_threads(threads);
    }
    ~ThreadCount() {
        if (omp_get_max_threads() != before_) omp_set_num_threads(before_);
    }
    ThreadCount(const ThreadCount&) = delete;
    ThreadCount& operator=(const ThreadCount&) = delete;

private:
    int before_;
};

const dnnl::engine& engine() {
    static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

using dims = dnnl::memory::dims;
using tag = dnnl::memory::format_tag;

dnnl::memory::desc matrix(std::size_t rows, std::size_t columns, tag layout) {
    return {dims{static_cast<dnnl::memory::dim>(rows), static_cast<dnnl::memory::dim>(columns)},
            dnnl::memory::data_type::f32, layout};
}

dnnl::matmul::primitive_desc describe(const dnnl::memory::desc& x, const dnnl::memory::desc& w,
                                      const dnnl::memory::desc& bias, const dnnl::memory::desc& y,
                                      const dnnl::primitive_attr& attributes = {}) {
#if DNNL_VERSION_MAJOR >= 3
    return bias.is_zero() ? dnnl::matmul::primitive_desc(engine(), x, w, y, attributes)
                          : dnnl::matmul::primitive_desc(engine(), x, w, bias, y, attributes);
#else
    return bias.is_zero() ? dnnl::matmul::primitive_desc(dnnl::matmul::desc(x, w, y), attributes, engine())
                          : dnnl::matmul::primitive_desc(dnnl::matmul::desc(x, w, bias, y), attributes, engine());
#endif
}

/// A memory object over data that the library only reads.
dnnl::memory read_only(const dnnl::memory::desc& description, const float* data) {
    return {description, engine(), const_cast<float*>(data)};
}

}  // namespace

int threads_for(double microseconds) {
    const int worth = 1 + static_cast<int>(std::min(microseconds / microseconds_worth_a_thread, 1024.0));
    return std::max(1, std::min(omp_get_max_threads(), worth));
}

namespace {

dnnl::memory::dim to_dim(std::size_t n) { return static_cast<dnnl::memory::dim>(n); }

/// Matrices one behind another, each as it is stored or transposed.
dnnl::memory::desc matrices(std::size_t count, const MatrixView& m, Transpose transpose) {
    const auto rows = to_dim(m.rows), columns = to_dim(m.columns), stride = to_dim(m.stride);
    constexpr auto f32 = dnnl::memory::data_type::f32;
    return transpose == Transpose::yes
               ? dnnl::memory::desc(dims{to_dim(count), columns, rows}, f32, dims{rows * stride, 1, stride})
               : dnnl::memory::desc(dims{to_dim(count), rows, columns}, f32, dims{rows * stride, stride, 1});
}

/// A compiled product of certain sizes.
struct Compiled {
    dnnl::memory::desc a, b, bias, c;
    dnnl::matmul primitive;
};

Compiled compile(const Product& p) {
    const dnnl::memory::desc a = matrices(p.count, p.a, p.transpose_a), b = matrices(p.count, p.b, p.transpose_b);
    const auto rows = p.transpose_a == Transpose::yes ? p.a.columns : p.a.rows;
    const auto columns = p.transpose_b == Transpose::yes ? p.b.rows : p.b.columns;
    const dnnl::memory::desc c = matrices(p.count, {nullptr, rows, columns, columns}, Transpose::no);
    const dnnl::memory::desc bias =
        p.bias == nullptr ? dnnl::memory::desc() : matrices(1, {nullptr, 1, columns, columns}, Transpose::no);
    dnnl::post_ops after;
    constexpr auto linear = dnnl::algorithm::eltwise_linear;
#if DNNL_VERSION_MAJOR >= 3
    if (p.alpha != 1.0F) after.append_eltwise(linear, p.alpha, 0.0F);
#else
    if (p.alpha != 1.0F) after.append_eltwise(1.0F, linear, p.alpha, 0.0F);
#endif
    if (p.into == Product::Into::sum) after.append_sum(1.0F);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    return {a, b, bias, c, dnnl::matmul(describe(a, b, bias, c, attributes))};
}

/// Compiled per thread, because a product's scratch memory belongs to the thread that runs it.
const Compiled& compiled(const Product& p) {
    using Key = std::array<std::size_t, 12>;
    const auto alpha_bits = static_cast<std::size_t>(std::bit_cast<std::uint32_t>(p.alpha));
    const Key key{p.a.rows,
                  p.a.columns,
                  p.a.stride,
                  p.b.rows,
                  p.b.columns,
                  p.b.stride,
                  p.count,
                  alpha_bits,
                  static_cast<std::size_t>(p.transpose_a),
                  static_cast<std::size_t>(p.transpose_b) * 2 + static_cast<std::size_t>(p.into),
                  static_cast<std::size_t>(p.bias != nullptr),
                  static_cast<std::size_t>(omp_get_max_threads())};
    thread_local std::map<Key, Compiled> products;
    const auto found = products.find(key);
    return found != products.end() ? found->second : products.emplace(key, compile(p)).first->second;
}

}  // namespace

void multiply(const Product& p, float* c) {
    assert(p.bias == nullptr || p.alpha == 1.0F);
    const std::size_t inner = p.transpose_b == Transpose::yes ? p.b.columns : p.b.rows;
    const std::size_t columns = p.transpose_b == Transpose::yes ? p.b.rows : p.b.columns;
    const double flops = 2.0 * static_cast<double>(p.count * p.a.rows * p.a.columns * p.b.rows * p.b.columns / inner);
    if (p.count == 0 || p.a.rows == 0 || p.a.columns == 0 || columns == 0) return;
    const ThreadCount threads(threads_for(flops / flops_per_microsecond));
    const Compiled& product = compiled(p);

    dnnl::stream stream(engine());
    std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, read_only(product.a, p.a.data)},
                                                       {DNNL_ARG_WEIGHTS, read_only(product.b, p.b.data)},
                                                       {DNNL_ARG_DST, {product.c, engine(), c}}};
    if (p.bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, read_only(product.bias, p.bias));
    product.primitive.execute(stream, arguments);
    stream.wait();
}

namespace {

/// The same number for the same layout: descriptions have no order, so that they can be no part of a key themselves.
std::size_t number_of_layout(const dnnl::memory::desc& layout) {
    static std::mutex mutex;
    static std::vector<dnnl::memory::desc> layouts;
    const std::lock_guard lock(mutex);
    const auto found = std::find(layouts.begin(), layouts.end(), layout);
    if (found != layouts.end()) return static_cast<std::size_t>(found - layouts.begin());
    layouts.push_back(layout);
    return layouts.size() - 1;
}

}  // namespace

struct PackedLinear::Memory {
    dnnl::memory weight, bias;
    std::size_t layout = 0;  // of the weight; sizes included

    /// One compiled product for each number of rows and threads that was asked for.
    struct Product {
        dnnl::memory::desc x, y;
        dnnl::matmul primitive;
    };
    const Product& product(std::size_t rows, std::size_t inputs, std::size_t outputs) const;
};

const PackedLinear::Memory::Product& PackedLinear::Memory::product(std::size_t rows, std::size_t inputs,
                                                                   std::size_t outputs) const {
    // Compiled per thread, because a product's scratch memory belongs to the thread that runs it.
    using Key = std::tuple<std::size_t, std::size_t, int, bool>;
    thread_local std::map<Key, Product> products;
    const bool biased = static_cast<bool>(bias);
    const Key key{rows, layout, omp_get_max_threads(), biased};
    auto found = products.find(key);
    if (found == products.end()) {
        const dnnl::memory::desc x = matrix(rows, inputs, tag::ab);
        const dnnl::memory::desc y = matrix(rows, outputs, tag::ab);
        const auto description = describe(x, weight.get_desc(), biased ? bias.get_desc() : dnnl::memory::desc(), y);
        found = products.emplace(key, Product{x, y, dnnl::matmul(description)}).first;
    }
    return found->second;
}

PackedLinear::PackedLinear(const LinearWeights& weights, std::size_t typical_rows)
    : inputs_(weights.weight.shape()[1]), outputs_(weights.weight.shape()[0]), memory_(std::make_unique<Memory>()) {
    const auto description = describe(matrix(typical_rows, inputs_, tag::ab), matrix(inputs_, outputs_, tag::any),
                                      dnnl::memory::desc(), matrix(typical_rows, outputs_, tag::ab));
    memory_->weight = dnnl::memory(description.weights_desc(), engine());
    memory_->layout = number_of_layout(memory_->weight.get_desc());

    dnnl::stream stream(engine());
    dnnl::memory stored = read_only(matrix(inputs_, outputs_, tag::ba), weights.weight.data());
    dnnl::reorder(stored, memory_->weight).execute(stream, stored, memory_->weight);
    if (!weights.bias.empty()) {
        memory_->bias = dnnl::memory(matrix(1, outputs_, tag::ab), engine());
        std::copy_n(weights.bias.data(), outputs_, static_cast<float*>(memory_->bias.get_data_handle()));
    }
    stream.wait();
}

PackedLinear::~PackedLinear() = default;

void PackedLinear::apply(const float* x, std::size_t rows, float* y) const {
    const double flops = 2.0 * static_cast<double>(rows * inputs_ * outputs_);
    const ThreadCount threads(threads_for(flops / flops_per_microsecond));
    const Memory::Product& product = memory_->product(rows, inputs_, outputs_);

    dnnl::stream stream(engine());
    std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, read_only(product.x, x)},
                                                       {DNNL_ARG_WEIGHTS, memory_->weight},
                                                       {DNNL_ARG_DST, {product.y, engine(), y}}};
    if (memory_->bias) arguments.emplace(DNNL_ARG_BIAS, memory_->bias);
    product.primitive.execute(stream, arguments);
    stream.wait();
}

}  // namespace vitrine
