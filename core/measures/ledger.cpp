#include "core/measures/ledger.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <vector>

#include "core/measures/analysis.h"
#include "core/measures/parted_stream.h"
#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/transformer/equations.h"
#include "core/vit/readout.h"
#include "core/vit/run_memory.h"

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
    std::vector<std::shared_ptr<const BlockTrace>> blocks;  // [ℓ − 1], with at least the tensors that the ledger reads
};

/// The blocks of a run. If they do not stay in memory, each is computed once and only the tensors that the ledger reads
/// are copied.
std::vector<std::shared_ptr<const BlockTrace>> read_blocks(const Trace& trace) {
    std::vector<std::shared_ptr<const BlockTrace>> blocks;
    for (int block = 1; block <= trace.blocks(); ++block) {
        const auto whole = trace.block(block);
        if (!trace.budget) {
            blocks.push_back(whole);
            continue;
        }
        const auto part = std::make_shared<BlockTrace>();
        part->heads = whole->heads;
        part->ln1.var = whole->ln1.var;
        part->ln2.var = whole->ln2.var;
        part->mlp.out = whole->mlp_branch();
        blocks.push_back(part);
    }
    return blocks;
}

/// The parts that add up to one token of z_L.
Stream stream_of(const Run& run, int token) {
    const Config& c = run.model.config;
    const auto row = static_cast<std::size_t>(token);
    Stream stream(static_cast<std::size_t>(c.embedding_dim));
    stream.add({Part::embedding}, &run.trace.embedding->z(row, 0));
    for (int block = 1; block <= c.blocks; ++block) {
        const auto& t = run.blocks[static_cast<std::size_t>(block - 1)];
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

/// Moves the entry `norms` to the end.
void norms_last(Ledger& ledger) {
    const auto at = std::find(ledger.entries.begin(), ledger.entries.end(), LedgerEntry{Part::norms});
    const auto row = static_cast<std::size_t>(at - ledger.entries.begin());
    std::rotate(at, at + 1, ledger.entries.end());
    const std::size_t rows = ledger.contributions.shape()[0], classes = ledger.contributions.shape()[1];
    float* const data = ledger.contributions.data();
    std::rotate(data + row * classes, data + (row + 1) * classes, data + rows * classes);
}

/// A vector that the classification head reads: its tokens, the classifier's columns that multiply it, and its share of
/// the logits.
struct ReadVector {
    ReadTokens tokens;
    const Parameter& weight;
    std::size_t column = 0;  // the first column
    double share = 1;
    std::size_t index = 0;  // among the vectors
};

std::vector<ReadVector> vectors_of(const Model& model) {
    const Weights& w = model.weights;
    const std::vector<ReadTokens> parts = read_parts(model.config);
    if (model.config.readout == Readout::class_and_distillation)
        return {{parts[0], w.classifier.weight, 0, 0.5, 0}, {parts[1], w.distillation_classifier.weight, 0, 0.5, 1}};
    std::vector<ReadVector> vectors;
    for (std::size_t p = 0; p < parts.size(); ++p)
        vectors.push_back(
            {parts[p], w.classifier.weight, p * static_cast<std::size_t>(model.config.embedding_dim), 1, p});
    return vectors;
}

/// The final norm with the σ of this run, for a row of z_L or for a mean of rows.
FrozenNorm final_norm(const Model& model, const float* row) {
    const auto deviation =
        static_cast<double>(summarise({row, static_cast<std::size_t>(model.config.embedding_dim)}).deviation);
    return frozen(model.weights.norm, deviation * deviation, model.config.layer_norm_epsilon);
}

/// W_O W_V x of a head of the attention pooling, for each row x.
Tensor2 through_pooling_head(const Model& model, int head, const Tensor2& rows) {
    const PoolingWeights& w = model.weights.pooling;
    const auto d = static_cast<std::size_t>(model.config.embedding_dim);
    const auto inside = static_cast<std::size_t>(model.config.head_dim()),
               first = static_cast<std::size_t>(head) * inside;
    Tensor2 values = tensor2(rows.shape()[0], inside), out = tensor2(rows.shape()[0], d);
    multiply({.a = {rows.data(), rows.shape()[0], d, d},
              .b = {w.value.weight.data() + first * d, inside, d, d},
              .transpose_b = Transpose::yes},
             values.data());
    multiply({.a = {values.data(), rows.shape()[0], inside, inside},
              .b = {w.projection.weight.data() + first, d, inside, d},
              .transpose_b = Transpose::yes},
             out.data());
    return out;
}

/// The output of the attention pooling as a sum of parts: the patches' streams after the final norm, weighted by the
/// attention of this run.
template <class StreamOf>
Stream pooled_stream(const Model& model, const HeadTrace& head, const StreamOf& normed_stream) {
    const Config& c = model.config;
    const Tensor3& attention = head.pooling.attention;  // (h, 1, N_p)
    std::vector<Stream> of_heads;
    for (int patch = 0; patch < c.patches(); ++patch) {
        const Stream one = normed_stream(c.token_of(patch));
        for (int i = 0; i < c.heads; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const auto share = static_cast<double>(attention(at, 0, static_cast<std::size_t>(patch)));
            if (patch == 0) of_heads.push_back(one);
            if (patch == 0) of_heads[at].scale(share);
            if (patch > 0) of_heads[at].add(one, share);
        }
    }
    for (int i = 0; i < c.heads; ++i)
        of_heads[static_cast<std::size_t>(i)].map(
            [&](const Tensor2& rows) { return through_pooling_head(model, i, rows); });
    for (std::size_t i = 1; i < of_heads.size(); ++i) of_heads[0].add(of_heads[i], 1.0);
    return of_heads[0];
}

/// The constant part of the pooling's output: W_O times the bias of the values (each head's weights sum to 1), plus the
/// bias of W_O.
std::vector<float> pooling_bias(const Model& model) {
    const PoolingWeights& w = model.weights.pooling;
    std::vector<float> sum(w.projection.bias.data(), w.projection.bias.data() + w.projection.bias.size());
    for (std::size_t row = 0; row < sum.size(); ++row)
        for (std::size_t i = 0; i < sum.size(); ++i) sum[row] += w.projection.weight(row, i) * w.value.bias(i);
    return sum;
}

/// The stream of one vector that the classification head reads: the mean of its tokens' streams, or their attention
/// pooling without biases and MLP. Applies the final norm if it acts on each token, but not if it acts on the mean.
template <class StreamOf>
Stream combined_stream(const Model& model, const Trace& trace, const ReadTokens& read,
                       const StreamOf& stream_of_token) {
    const Tensor2& z = trace.z(model.config.blocks);
    const bool each = model.config.norms_tokens();
    const auto one = [&](int token) {
        Stream stream = stream_of_token(token);
        if (each) stream.normalise(final_norm(model, &z(static_cast<std::size_t>(token), 0)), norms);
        return stream;
    };
    if (model.config.pools()) return pooled_stream(model, *trace.head, one);
    Stream mean = one(read.first);
    if (read.one()) return mean;
    mean.scale(1.0 / read.count());
    for (int token = read.first + 1; token < read.last; ++token) mean.add(one(token), 1.0 / read.count());
    return mean;
}

/// The parts that add up to a vector that the classification head reads, after the final norm.
Stream stream_of(const Run& run, const ReadVector& vector) {
    const Config& c = run.model.config;
    const Tensor2& z = run.trace.z(c.blocks);
    Stream stream =
        combined_stream(run.model, run.trace, vector.tokens, [&](int token) { return stream_of(run, token); });
    if (c.pools()) {
        stream.add({Part::pooling_bias}, pooling_bias(run.model).data());
        stream.add({Part::pooling_mlp}, &run.trace.head->pooling.mlp.out(0, 0));
    }
    const auto features = static_cast<std::size_t>(c.embedding_dim);
    if (c.norms_tokens()) {
        if (!run.what_ifs.empty()) stream.add_rest(&run.trace.head->ln(0, vector.index * features), {Part::rest});
        return stream;
    }
    const Tensor2 read = read_out(c, z);
    if (!run.what_ifs.empty()) stream.add_rest(read.data(), {Part::rest});
    stream.normalise(final_norm(run.model, read.data()), norms);
    return stream;
}

/// Adds a vector's contributions to the ledger; entries that earlier vectors do not have are appended.
void add_to(Ledger& ledger, const ReadVector& vector, Stream stream) {
    stream.scale(vector.share);
    const std::vector<LedgerEntry>& entries = stream.entries();
    const std::size_t classes = vector.weight.shape()[0], inputs = vector.weight.shape()[1];
    const Tensor2 rows = stream.rows();
    Tensor2 own = tensor2(entries.size(), classes);
    multiply({.a = {rows.data(), rows.shape()[0], rows.shape()[1], rows.shape()[1]},
              .b = {vector.weight.data() + vector.column, classes, rows.shape()[1], inputs},
              .transpose_b = Transpose::yes},
             own.data());
    if (ledger.entries.empty()) {
        ledger = {entries, std::move(own)};
        return;
    }
    std::vector<LedgerEntry> all = ledger.entries;
    for (const LedgerEntry& entry : entries)
        if (std::ranges::find(all, entry) == all.end()) all.push_back(entry);
    Tensor2 sum = tensor2(all.size(), classes);
    std::fill_n(sum.data(), sum.size(), 0.0F);
    const auto add = [&](const std::vector<LedgerEntry>& which, const Tensor2& numbers) {
        for (std::size_t r = 0; r < which.size(); ++r) {
            const auto at = static_cast<std::size_t>(std::ranges::find(all, which[r]) - all.begin());
            for (std::size_t k = 0; k < classes; ++k) sum(at, k) += numbers(r, k);
        }
    };
    add(ledger.entries, ledger.contributions);
    add(entries, own);
    ledger = {std::move(all), std::move(sum)};
}

/// The classifier's bias, or the mean of both classifiers' biases; empty if there is none.
std::vector<float> bias_of(const Model& model) {
    const Parameter &own = model.weights.classifier.bias, &second = model.weights.distillation_classifier.bias;
    std::vector<float> bias(own.data(), own.data() + own.size());
    if (!second.empty())
        for (std::size_t k = 0; k < bias.size(); ++k) bias[k] = (bias[k] + second(k)) / 2;
    return bias;
}

}  // namespace

std::string name_of(const LedgerEntry& entry) {
    const std::string block = "block." + std::to_string(entry.block);
    switch (entry.part) {
        case Part::embedding: return "embedding";
        case Part::head: return block + ".head." + std::to_string(entry.head);
        case Part::projection_bias: return block + ".bias";
        case Part::mlp: return block + ".mlp";
        case Part::pooling_bias: return "pooling.bias";
        case Part::pooling_mlp: return "pooling.mlp";
        case Part::norms: return "norms";
        case Part::classifier_bias: return "classifier.bias";
        case Part::rest: return "rest";
    }
    return "";
}

Ledger logit_ledger(const Model& model, const Trace& trace, std::span<const Intervention> what_ifs) {
    assert(model.config.classes > 0);
    Ledger ledger;
    const Config& c = model.config;
    const int copies = 2 * c.blocks * c.embedding_dim / c.tokens() + 1;  // (N, D), as matrices (N, N)
    const RoomBesideBlocks room(trace, {.matrices = copies}, "the ledger");
    const Run run{model, trace, what_ifs, read_blocks(trace)};
    for (const ReadVector& vector : vectors_of(model)) add_to(ledger, vector, stream_of(run, vector));
    norms_last(ledger);
    const std::vector<float> bias = bias_of(model);
    if (bias.empty()) return ledger;
    const std::size_t last = ledger.entries.size(), classes = bias.size();
    Tensor2 all = tensor2(last + 1, classes);
    std::copy_n(ledger.contributions.data(), last * classes, all.data());
    std::copy_n(bias.data(), classes, &all(last, 0));
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
    const Tensor2& z = trace.z(c.blocks);
    const auto stream_of_token = [&](int token) {
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
        return stream;
    };
    std::vector<double> sums(heads, 0.0);
    for (const ReadVector& vector : vectors_of(model)) {
        Stream mean = combined_stream(model, trace, vector.tokens, stream_of_token);
        if (!c.norms_tokens()) mean.normalise(final_norm(model, read_out(c, z).data()), norms);
        const Tensor2 rows = mean.rows();
        const float* const weights =
            vector.weight.data() + static_cast<std::size_t>(chosen) * vector.weight.shape()[1] + vector.column;
        for (std::size_t head = 0; head < heads; ++head)
            for (std::size_t i = 0; i < features; ++i)
                sums[head] += vector.share * static_cast<double>(rows(head, i)) * static_cast<double>(weights[i]);
    }
    return {sums.begin(), sums.end()};
}

}  // namespace vitrine
