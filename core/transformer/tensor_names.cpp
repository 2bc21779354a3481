#include "core/transformer/tensor_names.h"

namespace vitrine {

void TensorNames::add(const std::string& name, const LayerNormTrace& ln) {
    add(name + ".mean", ln.mean);
    add(name + ".var", ln.var);
    add(name + ".out", ln.out);
}

void TensorNames::add(const std::string& prefix, const AttentionTrace& t) {
    add(prefix + "q", t.q);
    add(prefix + "k", t.k);
    add(prefix + "v", t.v);
    if (t.normed_q.size() > 0) {
        add(prefix + "q.normed", t.normed_q);
        add(prefix + "k.normed", t.normed_k);
    }
    if (t.turned_q.size() > 0) {
        add(prefix + "q.turned", t.turned_q);
        add(prefix + "k.turned", t.turned_k);
    }
    add(prefix + "scores", t.scores);
    add(prefix + "attention", t.attention);
    add(prefix + "heads", t.heads);
    add(prefix + "msa", t.msa);
}

void TensorNames::add(const std::string& prefix, const MlpTrace& t) {
    add(prefix + "mlp.hidden", t.hidden);
    add(prefix + "mlp.activation", t.activation);
    if (t.gated.size() > 0) {
        add(prefix + "mlp.value", t.value);
        add(prefix + "mlp.gated", t.gated);
    }
    if (t.norm.out.size() > 0) add(prefix + "mlp.norm", t.norm);
    add(prefix + "mlp.out", t.out);
}

void TensorNames::add(const std::string& prefix, const std::string& z_name,
                      const std::shared_ptr<const BlockTrace>& block) {
    of(block);
    add(prefix + "ln1", block->ln1);
    add(prefix, static_cast<const AttentionTrace&>(*block));
    if (block->scaled_msa.size() > 0) add(prefix + "msa.scaled", block->scaled_msa);
    add(prefix + "residual", block->residual);
    add(prefix + "ln2", block->ln2);
    add(prefix, block->mlp);
    if (block->scaled_mlp.size() > 0) add(prefix + "mlp.scaled", block->scaled_mlp);
    add(z_name, *block->z);
}

void TensorNames::add(const std::string& prefix, const std::string& z_name,
                      const std::shared_ptr<const DecoderTrace>& block) {
    of(block);
    add(prefix + "ln1", block->ln1);
    add(prefix + "self.", block->self);
    add(prefix + "residual", block->residual);
    if (block->cross.q.size() > 0) {
        add(prefix + "ln2", block->ln2);
        add(prefix + "cross.", block->cross);
        add(prefix + "crossed", block->crossed);
    }
    add(prefix + "ln3", block->ln3);
    add(prefix, block->mlp);
    add(z_name, *block->z);
}

}  // namespace vitrine
