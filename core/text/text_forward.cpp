#include "core/text/text_forward.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/text/text_embedding.h"
#include "core/transformer/decoder_block.h"
#include "core/transformer/encoder_block.h"

namespace vitrine {

namespace {

/// The stages of a run in progress; unaffected ones are shared with a baseline.
class Run {
public:
    Run(const TextModel& model, TextTrace& trace, std::span<const Intervention> interventions)
        : c_(model.config), w_(model.weights), trace_(trace), interventions_(interventions) {}

    /// Runs the encoder from block `first`, including its embedding if that is 0.
    void encode(int first) {
        const PackedSentences& words = trace_.batch->source;
        const Editor edit(interventions_, words.batch(), Stack::encoder);
        if (first == 0)
            trace_.encoder.embedding = std::make_shared<TextEmbeddingTrace>(
                embed_words({c_, w_.source_embedding, w_.source_position}, words, edit));
        for (int block = std::max(first, 1); block <= c_.blocks; ++block) {
            const Layer layer{c_, block, words.batch(), edit};
            trace_.encoder.add_block(std::make_shared<BlockTrace>(
                encoder_block(layer, w_.encoder[static_cast<std::size_t>(block - 1)], trace_.encoder.z(block - 1))));
        }
        if (!w_.encoder_norm.gamma.empty())
            trace_.encoder_norm = std::make_shared<LayerNormTrace>(
                layer_norm(w_.encoder_norm, trace_.encoder.z(c_.blocks), c_.layer_norm_epsilon));
        if (!w_.aux.weight.empty() && !trace_.batch->it.empty()) trace_.it = std::make_shared<ItTrace>(name_it());
    }

    void decode(int first) {
        const PackedSentences& words = trace_.batch->target;
        const Editor edit(interventions_, words.batch(), Stack::decoder);
        if (first == 0)
            trace_.decoder.embedding = std::make_shared<TextEmbeddingTrace>(
                embed_words({c_, w_.target_embedding, w_.target_position}, words, edit));
        for (int block = std::max(first, 1); block <= c_.decoder_blocks; ++block) {
            const Layer layer{c_, block, words.batch(), edit};
            trace_.decoder.add_block(std::make_shared<DecoderTrace>(decoder_block(
                layer, w_.decoder[static_cast<std::size_t>(block - 1)], decoder_input(c_, trace_, block))));
        }
    }

    void generate() {
        GeneratorTrace t;
        if (!c_.has_decoder()) {
            t.logits = linear(w_.generator, first_rows(trace_.memory(), trace_.batch->source));
        } else {
            const Tensor2& z = trace_.decoder.z(c_.decoder_blocks);
            const bool normed = !w_.decoder_norm.gamma.empty();
            if (normed) t.ln = layer_norm(w_.decoder_norm, z, c_.layer_norm_epsilon);
            t.logits = linear(w_.generator, normed ? t.ln.out : z);
        }
        t.probabilities = softmax(t.logits);
        trace_.generator = std::make_shared<GeneratorTrace>(std::move(t));
    }

private:
    ItTrace name_it() const {
        const Tensor2& memory = trace_.memory();
        ItTrace t;
        t.state = tensor2(trace_.batch->it.size(), memory.shape()[1]);
        for (std::size_t i = 0; i < trace_.batch->it.size(); ++i)
            std::copy_n(&memory(static_cast<std::size_t>(trace_.batch->it[i].row), 0), memory.shape()[1],
                        &t.state(i, 0));
        t.logits = linear(w_.aux, t.state);
        t.probabilities = softmax(t.logits);
        return t;
    }

    const TextConfig& c_;
    const TextWeights& w_;
    TextTrace& trace_;
    std::span<const Intervention> interventions_;
};

}  // namespace

TextTrace encode_text(const TextModel& model, std::shared_ptr<const TextBatch> batch,
                      std::span<const Intervention> interventions) {
    TextTrace trace;
    trace.batch = std::move(batch);
    if (model.config.has_encoder()) Run(model, trace, interventions).encode(0);
    return trace;
}

TextTrace decode_text(const TextModel& model, const TextTrace& encoded, PackedSentences target,
                      std::span<const Intervention> interventions) {
    TextTrace trace = encoded;
    trace.batch = std::make_shared<const TextBatch>(
        TextBatch{.source = encoded.batch->source, .target = std::move(target), .gold = {}, .it = encoded.batch->it});
    Run run(model, trace, interventions);
    run.decode(0);
    run.generate();
    return trace;
}

TextTrace text_forward(const TextModel& model, std::shared_ptr<const TextBatch> batch,
                       std::span<const Intervention> interventions) {
    TextTrace trace = encode_text(model, std::move(batch), interventions);
    Run run(model, trace, interventions);
    if (model.config.has_decoder()) run.decode(0);
    run.generate();
    return trace;
}

TextTrace text_forward(const TextModel& model, TextBatch batch, std::span<const Intervention> interventions) {
    return text_forward(model, std::make_shared<const TextBatch>(std::move(batch)), interventions);
}

TextTrace text_what_if(const TextModel& model, const TextTrace& baseline, std::span<const Intervention> interventions) {
    const TextConfig& c = model.config;
    const int first_encoder = c.has_encoder() ? first_block(interventions, c.blocks, Stack::encoder) : 1;
    const int own_decoder = c.has_decoder() ? first_block(interventions, c.decoder_blocks, Stack::decoder) : 1;
    const bool encoder_changes = first_encoder <= c.blocks;
    const int first_decoder = encoder_changes ? std::min(own_decoder, 1) : own_decoder;
    if (!encoder_changes && first_decoder > c.decoder_blocks) return baseline;

    TextTrace trace = baseline;
    Run run(model, trace, interventions);
    if (encoder_changes) {
        trace.encoder.drop_blocks_after(first_encoder - 1);
        run.encode(first_encoder);
    }
    if (c.has_decoder()) {
        trace.decoder.drop_blocks_after(first_decoder - 1);
        run.decode(first_decoder);
    }
    run.generate();
    return trace;
}

}  // namespace vitrine
