#include "core/text/text_backward.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/tensor/rows.h"
#include "core/text/text_embedding.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/decoder_block.h"
#include "core/transformer/encoder_block.h"

namespace vitrine {

namespace {

Tensor2 zeros_like(const Tensor2& x) {
    Tensor2 out = tensor2(rows_of(x), columns_of(x));
    std::fill_n(out.data(), out.size(), 0.0F);
    return out;
}

void add_first_rows(Tensor2& sum, const Tensor2& rows, const PackedSentences& sentences) {
    std::size_t first = 0;
    for (std::size_t b = 0; b < sentences.lengths.size(); ++b) {
        row_kernels().add_to(&sum(first, 0), &rows(b, 0), columns_of(rows));
        first += static_cast<std::size_t>(sentences.lengths[b]);
    }
}

/// Backward pass through the stages of a run; `g` stores the requested gradients.
class RunBack {
public:
    RunBack(const TextBackwardPass& pass, FlatTextWeights& gradients, TextTrace& g)
        : c_(pass.model.config),
          w_(pass.model.weights),
          into_(gradients.weights()),
          gradients_(gradients),
          trace_(pass.trace),
          interventions_(pass.interventions),
          keep_(pass.keep),
          g_(g) {
        if (c_.has_encoder()) d_memory_ = zeros_like(trace_.memory());
    }

    /// Back to the last block of the decoder, or to the [CLS] that a classifier reads.
    Tensor2 generator(const Tensor2& d_logits) {
        auto g = std::make_shared<GeneratorTrace>();
        const GeneratorTrace& t = *trace_.generator;
        g->logits = d_logits;
        const auto through = [&](const Tensor2& x) {
            return linear_back(w_.generator, into_.generator, gradients_, x, d_logits);
        };
        Tensor2 dz;
        if (!c_.has_decoder()) {
            const PackedSentences& sentences = trace_.batch->source;
            add_first_rows(d_memory_, through(first_rows(trace_.memory(), sentences)), sentences);
        } else if (w_.decoder_norm.gamma.empty()) {
            dz = through(trace_.decoder.z(c_.decoder_blocks));
        } else {
            g->ln.out = through(t.ln.out);
            dz = norm_back(
                {w_.decoder_norm, into_.decoder_norm, t.ln, trace_.decoder.z(c_.decoder_blocks), c_.layer_norm_epsilon},
                gradients_, g->ln.out);
        }
        if (keep_ == Keep::activations) g_.generator = std::move(g);
        return dz;
    }

    void it(const Tensor2& d_logits) {
        if (d_logits.size() == 0) return;
        auto g = std::make_shared<ItTrace>();
        g->logits = d_logits;
        g->state = linear_back(w_.aux, into_.aux, gradients_, trace_.it->state, d_logits);
        for (std::size_t i = 0; i < trace_.batch->it.size(); ++i)
            row_kernels().add_to(&d_memory_(static_cast<std::size_t>(trace_.batch->it[i].row), 0), &g->state(i, 0),
                                 columns_of(g->state));
        if (keep_ == Keep::activations) g_.it = std::move(g);
    }

    void decoder(Tensor2 dz) {
        const PackedSentences& words = trace_.batch->target;
        const Editor edit(interventions_, words.batch(), Stack::decoder);
        for (int block = c_.decoder_blocks; block >= 1; --block) {
            const auto i = static_cast<std::size_t>(block - 1);
            const auto trace = trace_.decoder.block(block);
            auto g = std::make_shared<DecoderTrace>();
            const Layer layer{c_, block, words.batch(), edit};
            dz = decoder_block_back({.layer = layer,
                                     .learned = {w_.decoder[i], into_.decoder[i], gradients_},
                                     .trace = *trace,
                                     .in = decoder_input(c_, trace_, block),
                                     .memory_gradient = c_.has_cross() ? &d_memory_ : nullptr},
                                    std::move(dz), *g);
            if (keep_ == Keep::activations) g_.decoder.add_block_before(std::move(g));
        }
        auto g = std::make_shared<TextEmbeddingTrace>();
        g->z = std::move(dz);
        embed_words_back({{c_, into_.target_embedding, into_.target_position}, gradients_}, words, edit, *g);
        if (keep_ == Keep::activations) g_.decoder.embedding = std::move(g);
    }

    void encoder(std::span<const AttentionTarget> asked) {
        const PackedSentences& words = trace_.batch->source;
        const Editor edit(interventions_, words.batch(), Stack::encoder);
        Tensor2 dz = encoder_norm();
        for (int block = c_.blocks; block >= 1; --block) {
            const auto i = static_cast<std::size_t>(block - 1);
            const auto trace = trace_.encoder.block(block);
            auto g = std::make_shared<BlockTrace>();
            const Layer layer{c_, block, words.batch(), edit};
            dz = encoder_block_back({.layer = layer,
                                     .learned = {w_.encoder[i], into_.encoder[i], gradients_},
                                     .trace = *trace,
                                     .z = trace_.encoder.z(block - 1),
                                     .asked = block == c_.blocks ? asked : std::span<const AttentionTarget>()},
                                    std::move(dz), *g);
            if (keep_ == Keep::activations) g_.encoder.add_block_before(std::move(g));
        }
        auto g = std::make_shared<TextEmbeddingTrace>();
        g->z = std::move(dz);
        embed_words_back({{c_, into_.source_embedding, into_.source_position}, gradients_}, words, edit, *g);
        if (keep_ == Keep::activations) g_.encoder.embedding = std::move(g);
    }

private:
    /// From the encoder's output back to its last block, through the final norm if there is one.
    Tensor2 encoder_norm() {
        if (!trace_.encoder_norm) return std::move(d_memory_);
        auto g = std::make_shared<LayerNormTrace>();
        g->out = std::move(d_memory_);
        Tensor2 dz = norm_back({w_.encoder_norm, into_.encoder_norm, *trace_.encoder_norm, trace_.encoder.z(c_.blocks),
                                c_.layer_norm_epsilon},
                               gradients_, g->out);
        if (keep_ == Keep::activations) g_.encoder_norm = std::move(g);
        return dz;
    }

    const TextConfig& c_;
    const TextWeights& w_;
    const TextWeights& into_;
    FlatTextWeights& gradients_;
    const TextTrace& trace_;
    std::span<const Intervention> interventions_;
    Keep keep_;
    TextTrace& g_;
    Tensor2 d_memory_;
};

}  // namespace

TextTrace text_backward(const TextBackwardPass& pass, const TextOutputGradient& output, FlatTextWeights& gradients) {
    std::fill(gradients.values().begin(), gradients.values().end(), 0.0F);
    TextTrace g;
    RunBack back(pass, gradients, g);
    Tensor2 dz = back.generator(output.logits);
    if (pass.model.config.has_decoder()) back.decoder(std::move(dz));
    if (pass.model.config.has_encoder()) {
        back.it(output.it_logits);
        back.encoder(output.asked);
    }
    if (pass.keep == Keep::activations) g.batch = pass.trace.batch;
    return g;
}

}  // namespace vitrine
