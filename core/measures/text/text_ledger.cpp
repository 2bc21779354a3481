#include "core/measures/text/text_ledger.h"

#include <algorithm>

#include "core/measures/analysis.h"
#include "core/measures/parted_stream.h"
#include "core/tensor/matmul.h"
#include "core/transformer/equations.h"

namespace vitrine {

namespace {

using Part = TextLedgerEntry::Part;
using Stream = PartedStream<TextLedgerEntry>;

constexpr TextLedgerEntry norms{Part::norms};

/// A sublayer's norm as computed in the run, and its placement.
struct SublayerNorm {
    const LayerNormWeights& weights;
    const LayerNormTrace& trace;
    Where place;
};

/// An attention layer as computed in the run, and the entries for its parts.
struct Sublayer {
    const AttentionTrace& trace;
    const AttentionWeights& weights;
    TextAttention attention;
    int block;
};

/// Accumulates what the blocks add to one row.
class Row {
public:
    Row(const TextLedgerOf& of, Stream& stream)
        : of_(of), c_(of.model.config), stream_(stream), row_(static_cast<std::size_t>(of.row)) {}

    void attention(const Sublayer& s, const SublayerNorm& norm) {
        sublayer(norm, [&](double factor) {
            if (factor == 0.0) return;  // it adds nothing, whatever its heads computed
            const Tensor2 heads = head_contributions(s.trace, s.weights.projection, static_cast<int>(row_));
            for (int head = 0; head < c_.heads; ++head)
                stream_.add({Part::head, s.attention, s.block, head}, &heads(static_cast<std::size_t>(head), 0),
                            factor);
            if (!s.weights.projection.bias.empty())
                stream_.add({Part::projection_bias, s.attention, s.block}, s.weights.projection.bias.data(), factor);
        });
    }

    void mlp(const MlpTrace& t, const TextLedgerEntry& entry, const SublayerNorm& norm) {
        sublayer(norm, [&](double) { stream_.add(entry, &t.out(row_, 0)); });
    }

private:
    /// Scales the residual, lets `add` add the sublayer's parts, and applies the norm where the model has it.
    template <class Add>
    void sublayer(const SublayerNorm& norm, Add add) {
        Where place = norm.place;
        place.token = of_.row;
        const Equations equations = equations_of(c_, of_.what_ifs, place);
        const auto normalise = [&] {
            stream_.normalise(frozen(norm.weights, static_cast<double>(norm.trace.var(row_)), c_.layer_norm_epsilon),
                              norms);
        };
        if (equations.skip.normed) normalise();
        stream_.scale(equations.skip.factor);
        add(equations.msa);
        if (equations.norm == Norm::after) normalise();
    }

    const TextLedgerOf& of_;
    const TextConfig& c_;
    Stream& stream_;
    std::size_t row_;
};

void add_encoder(const TextLedgerOf& of, Stream& stream) {
    Row row(of, stream);
    for (int block = 1; block <= of.model.config.blocks; ++block) {
        const auto held = of.trace.encoder.block(block);
        const BlockTrace& t = *held;
        const BlockWeights& w = of.model.weights.encoder[static_cast<std::size_t>(block - 1)];
        const Where place{.block = block};
        row.attention({t, w, TextAttention::encoder, block}, {w.ln1, t.ln1, place});
        row.mlp(t.mlp, {Part::mlp, TextAttention::encoder, block}, {w.ln2, t.ln2, place});
    }
}

void add_decoder(const TextLedgerOf& of, Stream& stream) {
    Row row(of, stream);
    for (int block = 1; block <= of.model.config.decoder_blocks; ++block) {
        const auto held = of.trace.decoder.block(block);
        const DecoderTrace& t = *held;
        const DecoderWeights& w = of.model.weights.decoder[static_cast<std::size_t>(block - 1)];
        const Where place{.block = block, .stack = Stack::decoder};
        const Where crossing{.block = block, .stack = Stack::decoder, .attention = Attention::cross};
        row.attention({t.self, w.self, TextAttention::decoder, block}, {w.ln1, t.ln1, place});
        if (w.crosses()) row.attention({t.cross, w.cross, TextAttention::cross, block}, {w.ln2, t.ln2, crossing});
        row.mlp(t.mlp, {Part::mlp, TextAttention::decoder, block}, {w.ln3, t.ln3, place});
    }
}

/// ⟨part, w_c⟩ for every part and word; the generator's bias last.
TextLedger read_off(const Stream& stream, const LinearWeights& generator) {
    TextLedger ledger{stream.entries(), {}};
    const Tensor2 rows = stream.rows();
    const std::size_t parts = rows.shape()[0], features = rows.shape()[1];
    const std::size_t words = generator.weight.size() / features;
    const bool biased = !generator.bias.empty();
    ledger.contributions = tensor2(parts + (biased ? 1 : 0), words);
    multiply({.a = {rows.data(), parts, features, features},
              .b = {generator.weight.data(), words, features, features},
              .transpose_b = Transpose::yes},
             ledger.contributions.data());
    if (const auto at = std::ranges::find(ledger.entries, norms); at != ledger.entries.end()) {
        // The β of all norms come after the blocks' entries, wherever they were added.
        float* const data = ledger.contributions.data();
        const std::size_t row = static_cast<std::size_t>(at - ledger.entries.begin());
        std::rotate(data + row * words, data + (row + 1) * words, data + parts * words);
        std::rotate(at, at + 1, ledger.entries.end());
    }
    if (!biased) return ledger;
    std::copy_n(generator.bias.data(), words, &ledger.contributions(parts, 0));
    ledger.entries.push_back({Part::generator_bias});
    return ledger;
}

}  // namespace

std::string name_of(const TextLedgerEntry& entry) {
    const std::string block = std::string(name_of(entry.attention)) + "." + std::to_string(entry.block);
    switch (entry.part) {
        case Part::word: return "word";
        case Part::position: return "position";
        case Part::head: return block + ".head." + std::to_string(entry.head);
        case Part::projection_bias: return block + ".bias";
        case Part::mlp: return block + ".mlp";
        case Part::norms: return "norms";
        case Part::generator_bias: return "generator.bias";
        case Part::rest: return "rest";
    }
    return "";
}

TextLedger text_ledger(const TextLedgerOf& of) {
    const TextConfig& c = of.model.config;
    const bool decodes = c.has_decoder();
    const auto row = static_cast<std::size_t>(of.row), features = static_cast<std::size_t>(c.embedding_dim);
    const TextEmbeddingTrace& begin = decodes ? *of.trace.decoder.embedding : *of.trace.encoder.embedding;
    std::vector<double> place(features);
    for (std::size_t i = 0; i < features; ++i)
        place[i] = static_cast<double>(begin.z(row, i)) - static_cast<double>(begin.tokens(row, i));
    Stream stream(features);
    stream.add({Part::word}, &begin.tokens(row, 0));
    stream.add({Part::position}, place.data());
    decodes ? add_decoder(of, stream) : add_encoder(of, stream);
    const Tensor2& z = decodes ? of.trace.decoder.z(c.decoder_blocks) : of.trace.encoder.z(c.blocks);
    if (!of.what_ifs.empty()) stream.add_rest(&z(row, 0), {Part::rest});
    const LayerNormWeights& last = decodes ? of.model.weights.decoder_norm : of.model.weights.encoder_norm;
    if (!last.gamma.empty()) {
        const LayerNormTrace& t = decodes ? of.trace.generator->ln : *of.trace.encoder_norm;
        stream.normalise(frozen(last, static_cast<double>(t.var(row)), c.layer_norm_epsilon), norms);
    }
    return read_off(stream, of.model.weights.generator);
}

}  // namespace vitrine
