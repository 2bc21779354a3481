#include "app/commands/bench/bench_bound.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/shared_library.h"
#include "core/base/team.h"
#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/tensor/product_table.h"
#include "core/tensor/product_ways.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

constexpr int trial_laps = 3;  // per way; the fastest counts

/// The products of a pass, in order, without those of a pooling by attention and of a distilled model's two
/// classifiers, which take few: calls `layer`(weights, x) for a linear layer and `heads`(a, b, whether b is transposed)
/// for the product of every head.  x (N, inputs); a, b (h, rows, columns)
template <class Layer, class Heads>
void for_products(const Model& model, const Trace& trace, const Tensor2& patches, Layer layer, Heads heads) {
    layer(model.weights.patch_embedding, patches);
    for (int block = 1; block <= trace.blocks(); ++block) {
        const BlockWeights& w = model.weights.blocks[static_cast<std::size_t>(block - 1)];
        const auto kept = trace.block(block);
        const BlockTrace& b = *kept;
        layer(w.query, b.ln1.out);
        layer(w.key, b.ln1.out);
        layer(w.value, b.ln1.out);
        heads(b.q, b.k, Transpose::yes);
        heads(b.attention, b.v, Transpose::no);
        layer(w.projection, b.ln1.out);  // in place of the merged heads, which the trace lacks: the same shape
        layer(w.mlp_in, b.ln2.out);
        if (model.config.gated_mlp) layer(w.mlp_value, b.ln2.out);
        layer(w.mlp_out, b.mlp.activation);
    }
    if (model.config.classes > 0 && model.config.readout != Readout::class_and_distillation)
        layer(model.weights.classifier, trace.head->ln);
}

using Sgemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a,
                   int a_stride, const float* b, int b_stride, float beta, float* c, int c_stride);

/// OpenBLAS on the calling thread.
struct OpenBlas {
    Sgemm* sgemm = nullptr;  // null: not installed
    std::string core;        // the processor for which it chose its code: "Haswell"

    OpenBlas() {
        static const SharedLibrary library("libopenblas.so.0");
        auto* const set_threads = library.function<void(int)>("openblas_set_num_threads");
        auto* const core_name = library.function<char*()>("openblas_get_corename");
        if (set_threads == nullptr || core_name == nullptr) return;
        set_threads(1);
        core = core_name();
        sgemm = library.function<Sgemm>("cblas_sgemm");
    }

    /// C = A · op(B), row-major.
    void multiply(const MatrixView& a, const MatrixView& b, Transpose transpose_b, float* c) const {
        constexpr int row_major = 101, as_stored = 111, transposed = 112;
        const auto size = [](std::size_t n) { return static_cast<int>(n); };
        const std::size_t columns = transpose_b == Transpose::yes ? b.rows : b.columns;
        sgemm(row_major, as_stored, transpose_b == Transpose::yes ? transposed : as_stored, size(a.rows), size(columns),
              size(a.columns), 1.0F, a.data, size(a.stride), b.data, size(b.stride), 0.0F, c, size(columns));
    }
};

MatrixView view(const float* data, std::size_t rows, std::size_t columns) { return {data, rows, columns, columns}; }

}  // namespace

class ProductBound::Way {
public:
    explicit Way(std::string words) : name(std::move(words)) {}
    virtual ~Way() = default;
    virtual void run() const = 0;

    double lap() const {
        const auto start = Clock::now();
        run();
        return milliseconds_since(start);
    }

    const std::string name;
};

namespace {

/// All products by `only`, one of this build's ways; without it, each by the way that the product table chooses.
class OwnWay : public ProductBound::Way {
public:
    OwnWay(std::string words, std::optional<ProductWay> only, const Model& model, const Trace& trace,
           const Tensor2& patches)
        : Way(std::move(words)), only_(only), model_(model), trace_(trace), patches_(patches) {
        if (!only_) return;
        const OnlyWay forced(*only_);
        prepare(model_);  // packs the copy's weights for that way; their numbers are shared with `model`
    }

    void run() const override {
        std::optional<OnlyWay> forced;
        if (only_) forced.emplace(*only_);
        for_products(
            model_, trace_, patches_, [](const LinearWeights& weights, const Tensor2& x) { linear(weights, x); },
            [](const Tensor3& a, const Tensor3& b, Transpose transpose_b) {
                transpose_b == Transpose::yes ? attention_scores(a, b) : weighted_values(a, b);
            });
    }

private:
    std::optional<ProductWay> only_;
    Model model_;
    const Trace& trace_;
    const Tensor2& patches_;
};

/// All products by OpenBLAS on as many threads as ours: each thread takes some rows of a layer's input, or some heads.
class OpenBlasWay : public ProductBound::Way {
public:
    OpenBlasWay(const OpenBlas& blas, const Model& model, const Trace& trace, const Tensor2& patches)
        : Way("OpenBLAS, " + blas.core), blas_(blas), model_(model), trace_(trace), patches_(patches) {}

    void run() const override {
        for_products(
            model_, trace_, patches_, [&](const LinearWeights& weights, const Tensor2& x) { layer(weights, x); },
            [&](const Tensor3& a, const Tensor3& b, Transpose transpose_b) { heads(a, b, transpose_b); });
    }

private:
    void layer(const LinearWeights& weights, const Tensor2& x) const {
        const std::size_t inputs = x.shape()[1], outputs = weights.weight.shape()[0];
        Tensor2 y = tensor2(x.shape()[0], outputs);
        const Parameter weight = weights.weight.stored();
        parallel_shares(x.shape()[0], thread_count(), [&](std::size_t first, std::size_t last) {
            blas_.multiply(view(x.data() + first * inputs, last - first, inputs), view(weight.data(), outputs, inputs),
                           Transpose::yes, y.data() + first * outputs);
        });
    }

    void heads(const Tensor3& a, const Tensor3& b, Transpose transpose_b) const {
        const std::size_t columns = transpose_b == Transpose::yes ? b.shape()[1] : b.shape()[2];
        Tensor3 c = tensor3(a.shape()[0], a.shape()[1], columns);
        parallel_shares(a.shape()[0], thread_count(), [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                blas_.multiply(view(&a(i, 0, 0), a.shape()[1], a.shape()[2]),
                               view(&b(i, 0, 0), b.shape()[1], b.shape()[2]), transpose_b, &c(i, 0, 0));
        });
    }

    OpenBlas blas_;
    const Model& model_;
    const Trace& trace_;
    const Tensor2& patches_;
};

}  // namespace

ProductBound::ProductBound(const Model& model, const Trace& trace, const Tensor2& patches) {
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::unique_ptr<Way> way) {
        way->run();  // warm-up: memory, compiled products
        double quickest = way->lap();
        for (int lap = 1; lap < trial_laps; ++lap) quickest = std::min(quickest, way->lap());
        if (quickest >= least) return;
        least = quickest;
        fastest_ = std::move(way);
    };
    consider(std::make_unique<OwnWay>("as chosen", std::nullopt, model, trace, patches));
    consider(std::make_unique<OwnWay>(by_library::name(), ProductWay::library, model, trace, patches));
    consider(std::make_unique<OwnWay>(std::string("panels, ") + vector_variant(), ProductWay::panels, model, trace,
                                      patches));
    if (const OpenBlas blas; blas.sgemm != nullptr)
        consider(std::make_unique<OpenBlasWay>(blas, model, trace, patches));
}

ProductBound::~ProductBound() = default;

double ProductBound::lap() const { return fastest_->lap(); }

const std::string& ProductBound::name() const { return fastest_->name; }

}  // namespace vitrine
