#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/product_ways.h"
#include "core/tensor/rows.h"

// Products by oneDNN, where it has an optimised kernel for them. Compiled products are cached by all their parameters,
// and per thread, because their scratch memory belongs to the running thread.

namespace vitrine {

namespace {

using dims = dnnl::memory::dims;
using tag = dnnl::memory::format_tag;
constexpr auto f32 = dnnl::memory::data_type::f32;
constexpr std::size_t most_compiled = 1024;  // per thread

const dnnl::engine& engine() {
    static const dnnl::engine cpu = [] {
        if (vector_limit() == 2) dnnl::set_max_cpu_isa(dnnl::cpu_isa::sse41);
        if (vector_limit() == 3) dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2);
        return dnnl::engine(dnnl::engine::kind::cpu, 0);
    }();
    return cpu;
}

/// The calling thread's stream. Debian's oneDNN uses OpenMP: it gets one thread, and our own threads share the work.
const dnnl::stream& stream() {
    omp_set_num_threads(1);
    thread_local const dnnl::stream own(engine());
    return own;
}

dnnl::memory::dim to_dim(std::size_t n) { return static_cast<dnnl::memory::dim>(n); }

dnnl::memory::desc matrix(std::size_t rows, std::size_t columns, tag layout) {
    return {dims{to_dim(rows), to_dim(columns)}, f32, layout};
}

/// Description of matrices, each stored plainly or transposed.
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

/// A compiled product with a memory object for each operand.
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

/// The library's API takes read-only operands as mutable.
void point(const dnnl::memory& memory, const float* data) { memory.set_data_handle(const_cast<float*>(data)); }

/// True if the library has an optimised kernel for a product: its reference kernel is a hundred times slower.
bool has_kernel(const dnnl::matmul::primitive_desc& how) {
    return std::string_view(how.impl_info_str()).find("ref") == std::string_view::npos;
}

/// The compiled product for a key from the calling thread's cache, compiled if missing; null if there is no kernel.
template <class Key, class Describe>
const Compiled* compiled(std::map<Key, std::optional<Compiled>>& products, Key key, Describe how) {
    auto found = products.find(key);
    if (found == products.end()) {
        if (products.size() >= most_compiled) products.clear();
        stream();
        const dnnl::matmul::primitive_desc described = how();
        found = products.emplace(key, std::nullopt).first;
        if (has_kernel(described)) {
            found->second.emplace(described);
            note_kernel(std::string("oneDNN ") + described.impl_info_str());
        }
    }
    return found->second ? &*found->second : nullptr;
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

/// The vector instructions that the library uses here, ", AVX2"; empty if it has no name for them.
std::string instructions() {
#if defined(__x86_64__)
    const auto has = [own = static_cast<unsigned>(dnnl::get_effective_cpu_isa())](dnnl::cpu_isa isa) {
        return (own & static_cast<unsigned>(isa)) == static_cast<unsigned>(isa);  // each set includes the earlier ones
    };
    if (has(dnnl::cpu_isa::avx512_core)) return ", AVX-512";
    if (has(dnnl::cpu_isa::avx2)) return ", AVX2";
    return has(dnnl::cpu_isa::avx) ? ", AVX" : ", SSE4.1";
#else
    return "";
#endif
}

/// Uses the library's older sgemm, which needs no compilation for each size: equally fast for small matrices.
void multiply_uncompiled(const ProductPart& p, float* c) {
    stream();
    [[maybe_unused]] static const bool noted = (note_kernel("oneDNN sgemm"), true);
    const std::size_t rows = p.rows(), columns = p.columns();
    const bool sums = p.into == Product::Into::sum;
    for (std::size_t row = 0; p.bias != nullptr && row < rows; ++row) {
        float* const out = c + row * p.c_stride;
        if (sums)
            row_kernels().add_to(out, p.bias, columns);
        else
            std::copy_n(p.bias, columns, out);
    }
    const auto letter = [](Transpose transpose) { return transpose == Transpose::yes ? 'T' : 'N'; };
    const bool adds = p.bias != nullptr || sums;
    dnnl::error::wrap_c_api(
        dnnl_sgemm(letter(p.transpose_a), letter(p.transpose_b), to_dim(rows), to_dim(columns), to_dim(p.inner()),
                   p.alpha, p.a.matrix.data, to_dim(p.a.matrix.stride), p.b.matrix.data, to_dim(p.b.matrix.stride),
                   adds ? 1.0F : 0.0F, c, to_dim(p.c_stride)),
        "a matrix product failed");
}

/// The number of a layout, the same for equal layouts. Keys use it, since descriptions of layouts have no order.
std::size_t number_of_layout(const dnnl::memory::desc& layout) {
    static std::mutex mutex;
    static std::vector<dnnl::memory::desc> layouts;
    const std::lock_guard lock(mutex);
    const auto found = std::find(layouts.begin(), layouts.end(), layout);
    if (found != layouts.end()) return static_cast<std::size_t>(found - layouts.begin());
    layouts.push_back(layout);
    return layouts.size() - 1;
}

class OnednnWeights : public PackedWeights {
public:
    OnednnWeights(const LinearWeights& weights, const dnnl::memory::desc& layout)
        : inputs_(weights.weight.shape()[1]),
          outputs_(weights.weight.shape()[0]),
          stored_bias_(weights.bias),
          weight_(layout, engine()),
          layout_(number_of_layout(layout)) {
        dnnl::stream filling = stream();
        dnnl::memory stored(matrix(inputs_, outputs_, tag::ba), engine(), const_cast<float*>(weights.weight.data()));
        dnnl::reorder(stored, weight_).execute(filling, stored, weight_);
        if (!weights.bias.empty()) {
            bias_ = dnnl::memory(matrix(1, outputs_, tag::ab), engine());
            std::copy_n(weights.bias.data(), outputs_, static_cast<float*>(bias_.get_data_handle()));
        }
        filling.wait();
    }

    void apply(const float* x, std::size_t rows, float* y) const override {
        thread_local std::map<std::array<std::size_t, 3>, std::optional<Compiled>> products;
        const bool biased = static_cast<bool>(bias_);
        const Compiled* const product = compiled(products, {rows, layout_, static_cast<std::size_t>(biased)}, [&] {
            return describe(matrix(rows, inputs_, tag::ab), weight_.get_desc(),
                            biased ? bias_.get_desc() : dnnl::memory::desc(), matrix(rows, outputs_, tag::ab));
        });
        if (product == nullptr) return panels().apply(x, rows, y);
        point(product->a, x);
        point(product->c, y);
        product->run(weight_, biased ? &bias_ : nullptr);
    }

    void unpack(float* stored) const override {
        dnnl::stream filling = stream();
        dnnl::memory from = weight_;
        dnnl::memory to(matrix(inputs_, outputs_, tag::ba), engine(), stored);
        dnnl::reorder(from, to).execute(filling, from, to);
        filling.wait();
    }

private:
    /// The same weights packed into panels, for numbers of rows without a library kernel; made on first use.
    const PackedWeights& panels() const {
        std::call_once(panels_made_, [this] {
            const std::shared_ptr<float[]> numbers(new float[inputs_ * outputs_]);
            unpack(numbers.get());
            panels_ = by_panels::pack({{{numbers, numbers.get()}, {outputs_, inputs_}}, stored_bias_, {}});
        });
        return *panels_;
    }

    std::size_t inputs_, outputs_;
    Parameter stored_bias_;
    dnnl::memory weight_, bias_;
    std::size_t layout_;  // its number, which covers the sizes
    mutable std::once_flag panels_made_;
    mutable std::unique_ptr<PackedWeights> panels_;
};

}  // namespace

namespace by_library {

std::string name() {
    engine();
    const dnnl::version_t& v = *dnnl::version();
    return "oneDNN " + std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch) +
           instructions();
}

bool multiply(const ProductPart& p, float* c) {
    if (p.kind == ProductKind::varied) return multiply_uncompiled(p, c), true;
    thread_local std::map<PartKey, std::optional<Compiled>> products;
    const Compiled* const product = compiled(products, key_of(p), [&] { return describe(p); });
    if (product == nullptr) return false;
    point(product->a, p.a.matrix.data);
    point(product->b, p.b.matrix.data);
    point(product->c, c);
    if (p.bias != nullptr) point(product->bias, p.bias);
    product->run(product->b, p.bias != nullptr ? &product->bias : nullptr);
    return true;
}

std::unique_ptr<PackedWeights> pack(const LinearWeights& weights, std::size_t typical_rows) {
    stream();
    const std::size_t inputs = weights.weight.shape()[1], outputs = weights.weight.shape()[0];
    const auto description = describe(matrix(typical_rows, inputs, tag::ab), matrix(inputs, outputs, tag::any),
                                      dnnl::memory::desc(), matrix(typical_rows, outputs, tag::ab));
    if (!has_kernel(description)) return nullptr;
    return std::make_unique<OnednnWeights>(weights, description.weights_desc());
}

}  // namespace by_library

}  // namespace vitrine
