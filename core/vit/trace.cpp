#include "core/vit/trace.h"

#include <string>

#include "core/transformer/tensor_names.h"

namespace vitrine {

namespace {

std::vector<NamedTensor> tensors_of_block(const Trace& trace, int block) {
    TensorNames names(TensorNames::Empty::keep);
    const std::string number = std::to_string(block);
    names.add("block." + number + ".", "z." + number, trace.block(block));
    return names.take();
}

/// The same, recomputed when they are written, so that memory need not hold all blocks.
std::vector<NamedTensor> later_tensors_of_block(const Trace& trace, int block) {
    std::vector<NamedTensor> tensors = tensors_of_block(trace, block);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i].data = nullptr;
        tensors[i].owner = {};
        tensors[i].make = [trace, block, i]() -> std::shared_ptr<const float> {
            const NamedTensor tensor = tensors_of_block(trace, block)[i];
            return {tensor.owner, tensor.data};
        };
    }
    return tensors;
}

}  // namespace

std::vector<NamedTensor> named_tensors(const Trace& trace) {
    TensorNames names(TensorNames::Empty::keep);  // a run without numbers gives the names only
    names.of(trace.embedding);
    names.add("image", trace.embedding->pixels());
    names.add("patch_embedding", trace.embedding->patch_embedding);
    names.add("tokens", trace.embedding->tokens);
    if (trace.embedding->placed.size() > 0) names.add("placed", trace.embedding->placed);
    names.add("z.0", trace.embedding->z);
    if (trace.embedding->rotation.size() > 0) names.add("rotation", trace.embedding->rotation);
    for (int block = 1; block <= trace.blocks(); ++block)
        names.add(trace.budget ? later_tensors_of_block(trace, block) : tensors_of_block(trace, block));
    names.of(trace.head);
    if (trace.head->tokens.size() > 0) names.add("head.tokens", trace.head->tokens);
    if (trace.head->pooling.msa.size() > 0) {
        const PoolingTrace& pooling = trace.head->pooling;
        names.add("head.pool.", static_cast<const AttentionTrace&>(pooling));
        names.add("head.pool.ln", pooling.ln);
        names.add("head.pool.", pooling.mlp);
    }
    names.add_row("head.ln", trace.head->ln);
    if (trace.head->each.size() > 0) names.add("head.each", trace.head->each);
    if (trace.head->features.size() > 0) names.add_row("head.features", trace.head->features);
    if (trace.head->logits.size() > 0) names.add_row("head.logits", trace.head->logits);
    if (trace.head->probabilities.size() > 0) names.add_row("head.probabilities", trace.head->probabilities);
    return names.take();
}

}  // namespace vitrine
