#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <map>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <vector>

#include "core/tensor/matmul_parts.h"

// Products by oneDNN. Whatever a product is compiled for is part of its key; it is compiled per thread, because its
// scratch memory belongs to the thread that runs it.

namespace vitrine {

namespace {

using dims = dnnl::memory::dims;
using tag = dnnl::memory::format_tag;
constexpr auto f32 = dnnl::memory::data_type::f32;
constexpr std::size_t most_compiled = 1024;  // of a thread

const dnnl::engine& engine() {
    static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

/// The calling thread's stream. Debian's oneDNN has threads of OpenMP's: it gets one, ours deal the work out.
const dnnl::stream& stream() {
    omp_set_num_threads(1);
    thread_local const dnnl::stream own(engine());
    return own;
}

dnnl::memory::dim to_dim(std::size_t n) { return static_cast<dnnl::memory::dim>(n); }

dnnl::memory::desc matrix(std::size_t rows, std::size_t columns, tag layout) {
    return {dims{to_dim(rows), to_dim(columns)}, f32, layout};
}

/// Matrices, each as it is stored or transposed.
dnnl::memory::desc matrices(std::size_t count, const MatrixStack& m, Transpose transpose) {
    const auto rows = to_dim(m.matrix.rows), columns = to_dim(m.matrix.columns), stride = to_dim(m.matrix.stride);
    const auto distance = to_dim(m.distance);
    return transpose == Transpose::yes
               ? dnnl::memory::desc(dims{to_dim(count), columns, rows}, f32, dims{distance, 1, stride})
               : dnnl::memory::desc(dims{to_dim(count), rows, columns}, f32, dims{distance, stride, 1});
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

/// A compiled product and a memory object for each of its operands.
struct Compiled {
    dnnl::matmul primitive;
    dnnl::memory a, b, bias, c;

    explicit Compiled(const dnnl::matmul::primitive_desc& how)
        : primitive(how),
          a(how.src_desc(), engine(), nullptr),
          b(how.weights_desc(), engine(), nullptr),
          bias(how.bias_desc(), engine(), nullptr),
          c(how.dst_desc(), engine(), nullptr) {}

    void run(const dnnl::memory& weights, const dnnl::memory* added) const {
        std::array<dnnl_exec_arg_t, 4> arguments = {{{DNNL_ARG_SRC, a.get()},
                                                     {DNNL_ARG_WEIGHTS, weights.get()},
                                                     {DNNL_ARG_DST, c.get()},
                                                     {DNNL_ARG_BIAS, nullptr}}};
        if (added != nullptr) arguments[3].memory = added->get();
        dnnl::error::wrap_c_api(
            dnnl_primitive_execute(primitive.get(), stream().get(), added != nullptr ? 4 : 3, arguments.data()),
            "a matrix product failed");
    }
};

/// The library takes what it only reads as what it may write.
void point(const dnnl::memory& memory, const float* data) { memory.set_data_handle(const_cast<float*>(data)); }

/// The product of a key in the calling thread's store, compiled where it is not there.
template <class Key, class Describe>
const Compiled& compiled(std::map<Key, Compiled>& products, Key key, Describe how) {
    auto found = products.find(key);
    if (found == products.end()) {
        if (products.size() >= most_compiled) products.clear();
        stream();
        found = products.emplace(key, Compiled(how())).first;
    }
    return found->second;
}

dnnl::matmul::primitive_desc describe(const ProductPart& p) {
    const dnnl::memory::desc a = matrices(p.count, p.a, p.transpose_a), b = matrices(p.count, p.b, p.transpose_b);
    const std::size_t rows = p.rows(), columns = p.columns();
    const dnnl::memory::desc c = matrices(p.count, {{nullptr, rows, columns, p.c_stride}, p.c_distance}, Transpose::no);
    const dnnl::memory::desc bias = p.bias == nullptr
                                        ? dnnl::memory::desc()
                                        : matrices(1, {{nullptr, 1, columns, columns}, columns}, Transpose::no);
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
    return describe(a, b, bias, c, attributes);
}

using PartKey = std::array<std::size_t, 16>;

PartKey key_of(const ProductPart& p) {
    const MatrixView &a = p.a.matrix, &b = p.b.matrix;
    return {a.rows,
            a.columns,
            a.stride,
            p.a.distance,
            b.rows,
            b.columns,
            b.stride,
            p.b.distance,
            p.count,
            p.c_stride,
            p.c_distance,
            static_cast<std::size_t>(std::bit_cast<std::uint32_t>(p.alpha)),
            static_cast<std::size_t>(p.transpose_a),
            static_cast<std::size_t>(p.transpose_b),
            static_cast<std::size_t>(p.into),
            static_cast<std::size_t>(p.bias != nullptr)};
}

/// The vector instructions that the library takes here, ", AVX2"; nothing on processors whose it has no names for.
std::string instructions() {
#if defined(__x86_64__)
    const auto has = [own = static_cast<unsigned>(dnnl::get_effective_cpu_isa())](dnnl::cpu_isa isa) {
        return (own & static_cast<unsigned>(isa)) == static_cast<unsigned>(isa);  // one includes those before it
    };
    if (has(dnnl::cpu_isa::avx512_core)) return ", AVX-512";
    if (has(dnnl::cpu_isa::avx2)) return ", AVX2";
    return has(dnnl::cpu_isa::avx) ? ", AVX" : ", SSE4.1";
#else
    return "";
#endif
}

}  // namespace

std::string product_library() {
    const dnnl::version_t& v = *dnnl::version();
    return "oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch) +
           instructions();
}

namespace {

/// By the library's older function, which compiles nothing for a size: the same speed for small matrices.
void multiply_uncompiled(const ProductPart& p, float* c) {
    stream();
    const std::size_t rows = p.rows(), columns = p.columns();
    assert(p.bias == nullptr || p.into == Product::Into::empty);
    if (p.bias != nullptr)
        for (std::size_t row = 0; row < rows; ++row) std::copy_n(p.bias, columns, c + row * p.c_stride);
    const auto letter = [](Transpose transpose) { return transpose == Transpose::yes ? 'T' : 'N'; };
    const bool adds = p.bias != nullptr || p.into == Product::Into::sum;
    dnnl::error::wrap_c_api(
        dnnl_sgemm(letter(p.transpose_a), letter(p.transpose_b), to_dim(rows), to_dim(columns), to_dim(p.inner()),
                   p.alpha, p.a.matrix.data, to_dim(p.a.matrix.stride), p.b.matrix.data, to_dim(p.b.matrix.stride),
                   adds ? 1.0F : 0.0F, c, to_dim(p.c_stride)),
        "a matrix product failed");
}

}  // namespace

void multiply_part(const ProductPart& p, float* c) {
    if (p.varied && p.count == 1) return multiply_uncompiled(p, c);
    thread_local std::map<PartKey, Compiled> products;
    const Compiled& product = compiled(products, key_of(p), [&] { return describe(p); });
    point(product.a, p.a.matrix.data);
    point(product.b, p.b.matrix.data);
    point(product.c, c);
    if (p.bias != nullptr) point(product.bias, p.bias);
    product.run(product.b, p.bias != nullptr ? &product.bias : nullptr);
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

struct PackedWeights::Memory {
    std::size_t inputs, outputs;
    dnnl::memory weight, bias;
    std::size_t layout = 0;  // of the weight; sizes included
};

PackedWeights::PackedWeights(const LinearWeights& weights, std::size_t typical_rows)
    : memory_(std::make_unique<Memory>()) {
    const dnnl::stream& own = stream();
    const std::size_t inputs = memory_->inputs = weights.weight.shape()[1];
    const std::size_t outputs = memory_->outputs = weights.weight.shape()[0];
    const auto description = describe(matrix(typical_rows, inputs, tag::ab), matrix(inputs, outputs, tag::any),
                                      dnnl::memory::desc(), matrix(typical_rows, outputs, tag::ab));
    memory_->weight = dnnl::memory(description.weights_desc(), engine());
    memory_->layout = number_of_layout(memory_->weight.get_desc());

    dnnl::memory stored(matrix(inputs, outputs, tag::ba), engine(), const_cast<float*>(weights.weight.data()));
    dnnl::stream filling(own);
    dnnl::reorder(stored, memory_->weight).execute(filling, stored, memory_->weight);
    if (!weights.bias.empty()) {
        memory_->bias = dnnl::memory(matrix(1, outputs, tag::ab), engine());
        std::copy_n(weights.bias.data(), outputs, static_cast<float*>(memory_->bias.get_data_handle()));
    }
    filling.wait();
}

PackedWeights::~PackedWeights() = default;

void PackedWeights::apply(const float* x, std::size_t rows, float* y) const {
    thread_local std::map<std::array<std::size_t, 3>, Compiled> products;
    const Memory& m = *memory_;
    const bool biased = static_cast<bool>(m.bias);
    const Compiled& product = compiled(products, {rows, m.layout, static_cast<std::size_t>(biased)}, [&] {
        return describe(matrix(rows, m.inputs, tag::ab), m.weight.get_desc(),
                        biased ? m.bias.get_desc() : dnnl::memory::desc(), matrix(rows, m.outputs, tag::ab));
    });
    point(product.a, x);
    point(product.c, y);
    product.run(m.weight, biased ? &m.bias : nullptr);
}

}  // namespace vitrine
