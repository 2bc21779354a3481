#include "core/vit/trace.h"

#include <cassert>
#include <string>
#include <utility>

#include "core/files/safetensors.h"

namespace vitrine {

namespace {

/// Collects tensors under their names; a batch of one has no axis of its own in a dump.
class Names {
public:
    template <std::size_t n>
    void add(const std::string& name, const Tensor<n>& tensor) {
        tensors_.push_back({name, {tensor.shape().begin(), tensor.shape().end()}, tensor.data(), owner_});
    }

    void add_row(const std::string& name, const Tensor2& tensor) {
        tensors_.push_back({name, {tensor.shape()[1]}, tensor.data(), owner_});
    }

    void add(const std::string& name, const LayerNormTrace& ln) {
        add(name + ".mean", ln.mean);
        add(name + ".var", ln.var);
        add(name + ".out", ln.out);
    }

    /// What follows points into it.
    void of(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }

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
        add("z." + std::to_string(block), *b.z);
    }

    std::vector<NamedTensor> take() { return std::move(tensors_); }

private:
    std::vector<NamedTensor> tensors_;
    std::shared_ptr<const void> owner_;
};

}  // namespace

std::shared_ptr<const BlockTrace> Trace::block(int block) const {
    assert(block >= 1 && block <= blocks());
    return blocks_[static_cast<std::size_t>(block - 1)];
}

const Tensor2& Trace::z(int block) const {
    return block == 0 ? embedding->z : *z_[static_cast<std::size_t>(block - 1)];
}

void Trace::add_block(std::shared_ptr<const BlockTrace> block) {
    z_.push_back(block->z);
    blocks_.push_back(std::move(block));
}

bool shares_block(const Trace& a, const Trace& b, int block) {
    const auto i = static_cast<std::size_t>(block - 1);
    return a.blocks_[i] == b.blocks_[i];
}

std::vector<NamedTensor> named_tensors(const Trace& trace) {
    Names names;
    names.of(trace.embedding);
    names.add("image", trace.embedding->image);
    names.add("patch_embedding", trace.embedding->patch_embedding);
    names.add("tokens", trace.embedding->tokens);
    names.add("z.0", trace.embedding->z);
    for (int block = 1; block <= trace.blocks(); ++block) {
        const auto b = trace.block(block);
        names.of(b);
        names.add_block(block, *b);
    }
    names.of(trace.head);
    names.add_row("head.ln", trace.head->ln);
    if (trace.head->logits.size() > 0) {
        names.add_row("head.logits", trace.head->logits);
        names.add_row("head.probabilities", trace.head->probabilities);
    }
    return names.take();
}

}  // namespace vitrine
