#include "core/measures/ledger.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/measures/analysis.h"
#include "core/measures/parted_stream.h"
#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/transformer/equations.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

using Part = LedgerEntry::Part;

using Stream = PartedStream<LedgerEntry>;

constexpr LedgerEntry norms{Part::norms};

/// A finished run and its inputs.
struct Run {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs;
};

/// Everything added to one token up to z_L.
Stream stream_of(const Run& run, int token) {
    const Config& c = run.model.config;
    const auto row = static_cast<std::size_t>(token);
    Stream stream(static_cast<std::size_t>(c.embedding_dim));
    stream.add({Part::embedding}, &run.trace.embedding->z(row, 0));
    for (int block = 1; block <= c.blocks; ++block) {
        const auto t = run.trace.block(block);
        const BlockWeights& b = run.model.weights.blocks[static_cast<std::size_t>(block - 1)];
        const Equations equations = equations_of(c, run.what_ifs, {.block = block, .token = token});
        const auto normalise = [&](const LayerNormWeights& weights, const LayerNormTrace& ln) {
            stream.normalise(frozen(weights, static_cast<double>(ln.var(row)), c.layer_norm_epsilon), norms);
        };
        const bool after = equations.norm == Norm::after;
        if (equations.skip.normed) normalise(b.ln1, t->ln1);
        stream.scale(equations.skip.factor);
        const Tensor2 heads = head_contributions(*t, b.projection, token);
        for (int head = 0; head < c.heads; ++head)
            stream.add({Part::head, block, head}, &heads(static_cast<std::size_t>(head), 0), equations.msa,
                       b.layer_scale_1.data());
        if (!b.projection.bias.empty())
            stream.add({Part::projection_bias, block}, b.projection.bias.data(), equations.msa, b.layer_scale_1.data());
        if (after) normalise(b.ln1, t->ln1);
        if (equations.skip.normed) normalise(b.ln2, t->ln2);
        stream.scale(equations.skip.factor);
        stream.add({Part::mlp, block}, &t->mlp_branch()(row, 0));
        if (after) normalise(b.ln2, t->ln2);
    }
    return stream;
}

/// Moves the entry of the norms to the end, wherever it was added.
void norms_last(Ledger& ledger) {
    const auto at = std::find(ledger.entries.begin(), ledger.entries.end(), LedgerEntry{Part::norms});
    const auto row = static_cast<std::size_t>(at - ledger.entries.begin());
    std::rotate(at, at + 1, ledger.entries.end());
    const std::size_t rows = ledger.contributions.shape()[0], classes = ledger.contributions.shape()[1];
    float* const data = ledger.contributions.data();
    std::rotate(data + row * classes, data + (row + 1) * classes, data + rows * classes);
}

}  // namespace

std::string name_of(const LedgerEntry& entry) {
    const std::string block = "block." + std::to_string(entry.block);
    switch (entry.part) {
        case Part::embedding: return "embedding";
        case Part::head: return block + ".head." + std::to_string(entry.head);
        case Part::projection_bias: return block + ".bias";
        case Part::mlp: return block + ".mlp";
        case Part::norms: return "norms";
        case Part::classifier_bias: return "classifier.bias";
        case Part::rest: return "rest";
    }
    return "";
}

Ledger logit_ledger(const Model& model, const Trace& trace, std::span<const Intervention> what_ifs) {
    const Config& c = model.config;
    const Weights& w = model.weights;
    assert(c.classes > 0);
    const auto features = static_cast<std::size_t>(c.embedding_dim), classes = static_cast<std::size_t>(c.classes);
    const ReadTokens read = read_tokens(c);
    Stream stream = stream_of({model, trace, what_ifs}, read.first);
    if (!read.one()) {
        stream.scale(1.0 / read.count());
        for (int token = read.first + 1; token < read.last; ++token)
            stream.add(stream_of({model, trace, what_ifs}, token), 1.0 / read.count());
    }
    const Tensor2 z = read_out(c, trace.z(c.blocks));
    if (!what_ifs.empty()) stream.add_rest(z.data(), {Part::rest});
    const auto deviation = static_cast<double>(summarise({z.data(), features}).deviation);
    stream.normalise(frozen(w.norm, deviation * deviation, c.layer_norm_epsilon), norms);

    Ledger ledger{stream.entries(), tensor2(stream.entries().size(), classes)};
    const Tensor2 rows = stream.rows();
    const Parameter& classifier = w.classifier.weight;
    multiply({.a = {rows.data(), rows.shape()[0], features, features},
              .b = {classifier.data(), classes, features, features},
              .transpose_b = Transpose::yes},
             ledger.contributions.data());
    norms_last(ledger);
    if (w.classifier.bias.empty()) return ledger;
    const std::size_t last = ledger.entries.size();
    Tensor2 all = tensor2(last + 1, classes);
    std::copy_n(ledger.contributions.data(), last * classes, all.data());
    std::copy_n(w.classifier.bias.data(), classes, &all(last, 0));
    ledger.contributions = std::move(all);
    ledger.entries.push_back({Part::classifier_bias});
    return ledger;
}

std::vector<float> last_heads(const Model& model, const Trace& trace, int chosen) {
    const Config& c = model.config;
    const auto features = static_cast<std::size_t>(c.embedding_dim), heads = static_cast<std::size_t>(c.heads);
    const auto block = trace.block(c.blocks);
    const BlockWeights& b = model.weights.blocks.back();
    const double skip = c.skips ? 1.0 : 0.0;
    const ReadTokens read = read_tokens(c);
    Stream mean(features);
    for (int token = read.first; token < read.last; ++token) {
        Stream stream(features);
        const Tensor2 added = head_contributions(*block, b.projection, token);
        for (int head = 0; head < c.heads; ++head)
            stream.add({Part::head, c.blocks, head}, &added(static_cast<std::size_t>(head), 0), 1.0,
                       b.layer_scale_1.data());
        const auto row = static_cast<std::size_t>(token);
        const bool after = c.norm == Norm::after;
        if (after)
            stream.normalise(frozen(b.ln1, static_cast<double>(block->ln1.var(row)), c.layer_norm_epsilon), norms);
        stream.scale(skip);
        if (after)
            stream.normalise(frozen(b.ln2, static_cast<double>(block->ln2.var(row)), c.layer_norm_epsilon), norms);
        if (token == read.first)
            mean = std::move(stream);
        else
            mean.add(stream, 1.0);
    }
    mean.scale(1.0 / read.count());
    const Tensor2 z = read_out(c, trace.z(c.blocks));
    const auto deviation = static_cast<double>(summarise({z.data(), features}).deviation);
    mean.normalise(frozen(model.weights.norm, deviation * deviation, c.layer_norm_epsilon), norms);
    const Tensor2 rows = mean.rows();
    const Parameter& classifier = model.weights.classifier.weight;
    std::vector<float> logits(heads);
    for (std::size_t head = 0; head < heads; ++head) {
        double sum = 0;
        for (std::size_t i = 0; i < features; ++i)
            sum += static_cast<double>(rows(head, i)) *
                   static_cast<double>(classifier(static_cast<std::size_t>(chosen) * features + i));
        logits[head] = static_cast<float>(sum);
    }
    return logits;
}

}  // namespace vitrine
