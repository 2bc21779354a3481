#include "core/text/text_trace.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/transformer/decoder_block.h"

namespace vitrine {

namespace {

/// Collects tensors under their names.
class DumpNames {
public:
    template <std::size_t n>
    void add(const std::string& name, const Tensor<n>& tensor) {
        if (tensor.size() > 0)
            tensors_.push_back({name, {tensor.shape().begin(), tensor.shape().end()}, tensor.data(), owner_});
    }
    void add(const std::string& name, const LayerNormTrace& ln) {
        add(name + ".mean", ln.mean);
        add(name + ".var", ln.var);
        add(name + ".out", ln.out);
    }
    void add(const std::string& prefix, const AttentionTrace& t) {
        add(prefix + "q", t.q);
        add(prefix + "k", t.k);
        add(prefix + "v", t.v);
        add(prefix + "scores", t.scores);
        add(prefix + "attention", t.attention);
        add(prefix + "heads", t.heads);
        add(prefix + "msa", t.msa);
    }
    void add(const std::string& prefix, const MlpTrace& t) {
        add(prefix + "mlp.hidden", t.hidden);
        add(prefix + "mlp.activation", t.activation);
        add(prefix + "mlp.out", t.out);
    }
    void add(const std::string& name, const std::shared_ptr<const TextEmbeddingTrace>& t) {
        if (!t) return;
        owner_ = t;
        add(name + ".embedded", t->embedded);
        add(name + ".tokens", t->tokens);
        add(name + ".position", t->position);
        add(name + ".z", t->z);
    }
    void add(const std::string& prefix, const std::shared_ptr<const BlockTrace>& t) {
        owner_ = t;
        add(prefix + "ln1", t->ln1);
        add(prefix, static_cast<const AttentionTrace&>(*t));
        add(prefix + "residual", t->residual);
        add(prefix + "ln2", t->ln2);
        add(prefix, t->mlp);
        add(prefix + "z", *t->z);
    }
    void add(const std::string& prefix, const std::shared_ptr<const DecoderTrace>& t) {
        owner_ = t;
        add(prefix + "ln1", t->ln1);
        add(prefix + "self.", t->self);
        add(prefix + "residual", t->residual);
        if (t->cross.q.size() > 0) {
            add(prefix + "ln2", t->ln2);
            add(prefix + "cross.", t->cross);
            add(prefix + "crossed", t->crossed);
        }
        add(prefix + "ln3", t->ln3);
        add(prefix, t->mlp);
        add(prefix + "z", *t->z);
    }
    void of(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }
    std::vector<NamedTensor> take() { return std::move(tensors_); }

private:
    std::vector<NamedTensor> tensors_;
    std::shared_ptr<const void> owner_;
};

}  // namespace

const Tensor2& TextTrace::encoder_z(int block) const {
    return block == 0 ? source->z : *encoder[static_cast<std::size_t>(block - 1)]->z;
}

const Tensor2& TextTrace::decoder_z(int block) const {
    return block == 0 ? target->z : *decoder[static_cast<std::size_t>(block - 1)]->z;
}

const Tensor2& TextTrace::memory() const {
    return encoder_norm ? encoder_norm->out : encoder_z(static_cast<int>(encoder.size()));
}

DecoderInput decoder_input(const TextConfig& config, const TextTrace& trace, int block) {
    DecoderInput in{.z = trace.decoder_z(block - 1), .causal = config.causal};
    if (!config.has_cross()) return in;
    in.memory = &trace.memory();
    in.memory_batch = trace.batch->source.batch();
    return in;
}

Tensor2 first_rows(const Tensor2& x, const PackedSentences& sentences) {
    const std::size_t columns = x.shape()[1];
    Tensor2 rows = tensor2(sentences.lengths.size(), columns);
    std::size_t first = 0;
    for (std::size_t b = 0; b < sentences.lengths.size(); ++b) {
        std::copy_n(&x(first, 0), columns, &rows(b, 0));
        first += static_cast<std::size_t>(sentences.lengths[b]);
    }
    return rows;
}

std::vector<NamedTensor> named_tensors(const TextTrace& trace) {
    DumpNames names;
    names.add("source", trace.source);
    int block = 0;
    for (const auto& b : trace.encoder) names.add("encoder." + std::to_string(++block) + ".", b);
    if (trace.encoder_norm) {
        names.of(trace.encoder_norm);
        names.add("encoder.norm", *trace.encoder_norm);
    }
    names.add("target", trace.target);
    block = 0;
    for (const auto& b : trace.decoder) names.add("decoder." + std::to_string(++block) + ".", b);
    names.of(trace.generator);
    names.add("decoder.norm", trace.generator->ln);
    names.add("generator.logits", trace.generator->logits);
    names.add("generator.probabilities", trace.generator->probabilities);
    if (trace.it) {
        names.of(trace.it);
        names.add("it.state", trace.it->state);
        names.add("it.logits", trace.it->logits);
        names.add("it.probabilities", trace.it->probabilities);
    }
    return names.take();
}

}  // namespace vitrine
