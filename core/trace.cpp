#include "core/trace.h"

#include <string>

namespace vitrine {

namespace {

/// Collects tensors under their names; a batch of one has no axis of its own in a dump.
class Names {
public:
    template <std::size_t n>
    void add(const std::string& name, const Tensor<n>& tensor) {
        tensors_.push_back({name, {tensor.shape().begin(), tensor.shape().end()}, tensor.data()});
    }

    void add_row(const std::string& name, const Tensor2& tensor) {
        tensors_.push_back({name, {tensor.shape()[1]}, tensor.data()});
    }

    void add(const std::string& name, const LayerNormTrace& ln) {
        add(name + ".mean", ln.mean);
        add(name + ".var", ln.var);
        add(name + ".out", ln.out);
    }

    void add_block(int block, const BlockTrace& b) {
        const std::string prefix = "block." + std::to_string(block) + ".";
        add(prefix + "ln1", b.ln1);
        add(prefix + "q", b.q);
        add(prefix + "k", b.k);
        add(prefix + "v", b.v);
        add(prefix + "scores", b.scores);
        add(prefix + "attention", b.attention);
        add(prefix + "heads", b.heads);
        add(prefix + "msa", b.msa);
        add(prefix + "residual", b.residual);
        add(prefix + "ln2", b.ln2);
        add(prefix + "mlp.hidden", b.mlp.hidden);
        add(prefix + "mlp.activation", b.mlp.activation);
        add(prefix + "mlp.out", b.mlp.out);
        add("z." + std::to_string(block), b.z);
    }

    std::vector<NamedTensor> take() { return std::move(tensors_); }

private:
    std::vector<NamedTensor> tensors_;
};

}  // namespace

std::vector<NamedTensor> named_tensors(const Trace& trace) {
    Names names;
    names.add("image", trace.embedding->image);
    names.add("patch_embedding", trace.embedding->patch_embedding);
    names.add("tokens", trace.embedding->tokens);
    names.add("z.0", trace.embedding->z);
    for (std::size_t i = 0; i < trace.blocks.size(); ++i) names.add_block(static_cast<int>(i) + 1, *trace.blocks[i]);
    names.add_row("head.ln", trace.head->ln);
    if (trace.head->logits.size() > 0) {
        names.add_row("head.logits", trace.head->logits);
        names.add_row("head.probabilities", trace.head->probabilities);
    }
    return names.take();
}

}  // namespace vitrine
