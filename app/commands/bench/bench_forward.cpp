#include "app/commands/bench/bench_forward.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "app/commands/bench/median.h"
#include "core/base/clock.h"
#include "core/base/machine.h"
#include "core/base/team.h"
#include "core/files/safetensors.h"
#include "core/tensor/ops.h"
#include "core/vit/cost.h"
#include "core/vit/embedding.h"
#include "core/vit/forward.h"

namespace vitrine {

double milliseconds(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return milliseconds_since(start);
}

namespace {

/// Pixels with the statistics of a normalised photograph; always the same.
Tensor3 test_image(const Config& c) {
    Tensor3 image = tensor3(static_cast<std::size_t>(c.channels), static_cast<std::size_t>(c.image_height),
                            static_cast<std::size_t>(c.image_width));
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(0.37F * static_cast<float>(i % 9973));
    return image;
}

double bytes_of(const Trace& trace) {
    double floats = 0;
    for (const NamedTensor& t : named_tensors(trace)) {
        double size = 1;
        for (const std::size_t n : t.shape) size *= static_cast<double>(n);
        floats += size;
    }
    return floats * sizeof(float);
}

/// Times each operation of a pass alone, over all blocks: medians of `runs` runs.
std::vector<ForwardTiming::Operation> time_operations(const Model& model, const Trace& trace, int runs) {
    const Config& c = model.config;
    const Batch batch{1, c.tokens()};
    std::vector<ForwardTiming::Operation> operations;
    const auto over_blocks = [&](const char* name,
                                 const std::function<void(const BlockWeights&, const BlockTrace&)>& op) {
        std::vector<double> times;
        for (int r = 0; r < runs; ++r)
            times.push_back(milliseconds([&] {
                for (int block = 1; block <= trace.blocks(); ++block)
                    op(model.weights.blocks[static_cast<std::size_t>(block - 1)], *trace.block(block));
            }));
        operations.push_back({name, median(times)});
    };
    const Tensor2 merged = merge_heads(trace.block(1)->heads, batch);
    over_blocks("layer_norm (2)", [&](const BlockWeights& w, const BlockTrace& b) {
        layer_norm(w.ln1, b.residual, c.layer_norm_epsilon);
        layer_norm(w.ln2, b.residual, c.layer_norm_epsilon);
    });
    over_blocks("q, k, v", [&](const BlockWeights& w, const BlockTrace& b) {
        linear(w.query, b.ln1.out);
        linear(w.key, b.ln1.out);
        linear(w.value, b.ln1.out);
    });
    over_blocks("split and merge heads", [&](const BlockWeights&, const BlockTrace& b) {
        for (int i = 0; i < 3; ++i) split_heads(b.residual, batch, c.heads);
        merge_heads(b.heads, batch);
    });
    over_blocks("scores", [](const BlockWeights&, const BlockTrace& b) { attention_scores(b.q, b.k); });
    over_blocks("softmax", [](const BlockWeights&, const BlockTrace& b) { softmax(b.scores); });
    over_blocks("attention · V", [](const BlockWeights&, const BlockTrace& b) { weighted_values(b.attention, b.v); });
    over_blocks("W_O", [&](const BlockWeights& w, const BlockTrace&) { linear(w.projection, merged); });
    over_blocks("MLP in", [](const BlockWeights& w, const BlockTrace& b) { linear(w.mlp_in, b.ln2.out); });
    if (c.gated_mlp)
        over_blocks("MLP value", [](const BlockWeights& w, const BlockTrace& b) { linear(w.mlp_value, b.ln2.out); });
    over_blocks("activation", [&](const BlockWeights&, const BlockTrace& b) { activate(c.activation, b.mlp.hidden); });
    over_blocks("MLP out", [](const BlockWeights& w, const BlockTrace& b) { linear(w.mlp_out, b.mlp.activation); });
    over_blocks("residual (2)", [](const BlockWeights&, const BlockTrace& b) {
        add(b.msa, b.residual);
        add(b.mlp.out, b.residual);
    });
    return operations;
}

}  // namespace

Laps::Laps(const Model& model, int threads) : model_(model), image_(test_image(model.config)) {
    set_thread_count(threads);
    patches_ = patches_as_rows(image_, model.config.channels, model.config.patch_size);
    trace_ = forward(model, image_);  // warm-up: memory, compiled products
}

double Laps::pass() {
    trace_ = {};  // so that the next one reuses its memory
    return milliseconds([&] { trace_ = forward(model_, image_); });
}

double Laps::products() {
    if (bound_ == nullptr) bound_ = std::make_unique<ProductBound>(model_, trace_, patches_);
    return bound_->lap();
}

std::string Laps::bound_name() const { return bound_ != nullptr ? bound_->name() : ""; }

ForwardTiming time_forward(const Model& model, int threads, int runs) {
    ForwardTiming t;
    t.name = model.provenance.name;
    t.threads = threads;
    t.runs = runs;
    Laps laps(model, threads);
    laps.pass();
    t.peak_mib = peak_memory().value_or(0) / (1 << 20);  // before the bound packs weights in other ways
    std::vector<double> pass, bound, ratio;
    for (int r = 0; r < runs; ++r) {
        bound.push_back(laps.products());
        pass.push_back(laps.pass());
        ratio.push_back(pass.back() / bound.back());
    }
    t.forward_ms = median(pass);
    t.bound_ms = median(bound);
    t.bound_name = laps.bound_name();
    t.ratio = median(ratio);
    t.gflops = 2 * cost_of(model.config).multiply_adds / t.bound_ms / 1e6;
    t.trace_mib = bytes_of(laps.trace()) / (1 << 20);
    t.operations = time_operations(model, laps.trace(), std::min(runs, 5));
    return t;
}

}  // namespace vitrine
