#include "core/vit/backward.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "core/transformer/encoder_block.h"
#include "core/vit/embedding.h"
#include "core/vit/head.h"
#include "core/vit/readout.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

Batch batch_in(const BackwardPass& pass) {
    const int tokens = pass.model.config.tokens();
    return {static_cast<int>(pass.trace.embedding->z.shape()[0]) / tokens, tokens};
}

/// Backward pass through the blocks.
struct Blocks {
    const BackwardPass& pass;
    FlatWeights& gradients;
    const Editor& edit;
    TokenPlaces places = token_places(pass.model.config, pass.trace.embedding->rotation);

    /// Calls f with the inputs of block ℓ's backward pass, and keeps the block's trace in memory meanwhile.
    template <class F>
    Tensor2 at(int block, F f) const {
        const auto i = static_cast<std::size_t>(block - 1);
        const auto trace = pass.trace.block(block);
        const Layer layer{pass.model.config, block, batch_in(pass), edit, &places};
        return f(BlockBack{layer,
                           {pass.model.weights.blocks[i], gradients.weights().blocks[i], gradients},
                           *trace,
                           pass.trace.z(block - 1)});
    }
    Tensor2 back(int block, Tensor2 dz, BlockTrace& g) const {
        return at(block, [&](const BlockBack& b) { return encoder_block_back(b, std::move(dz), g); });
    }
    /// Variant for a pass in which only one token of each image is read.
    Tensor2 back_from(int read, int block, const Tensor2& dz) const {
        return at(block, [&](const BlockBack& b) { return encoder_block_back_from(read, b, dz); });
    }
};

}  // namespace

Trace backward(const BackwardPass& pass, const Tensor2& logit_gradient, FlatWeights& gradients) {
    const Config& c = pass.model.config;
    const Editor edit(pass.interventions, batch_in(pass));
    assert(static_cast<int>(logit_gradient.shape()[0]) == batch_in(pass).sequences);
    std::fill(gradients.values().begin(), gradients.values().end(),
              0.0F);  // unused parameters have gradient 0

    auto head = std::make_shared<HeadTrace>();
    head->logits = logit_gradient;
    const HeadBack of_head{pass.model, pass.trace.z(c.blocks), *pass.trace.head, gradients};

    const Blocks blocks{pass, gradients, edit};
    const ReadTokens read = read_tokens(c);
    const bool short_cut = read.one() && !c.norms_tokens() && pass.keep == Keep::parameters &&
                           pass.interventions.empty() && c.norm != Norm::after;
    Trace kept;
    Tensor2 dz = short_cut ? blocks.back_from(read.first, c.blocks, classify_back(of_head, *head))
                           : classify_back_to_tokens(of_head, *head);
    for (int block = short_cut ? c.blocks - 1 : c.blocks; block >= 1; --block) {
        auto of_block = std::make_shared<BlockTrace>();
        dz = blocks.back(block, std::move(dz), *of_block);
        if (pass.keep == Keep::activations) kept.add_block_before(std::move(of_block));
    }

    auto embedding = std::make_shared<EmbeddingTrace>();
    embedding->z = std::move(dz);
    embed_back(pass.model, *pass.trace.embedding, edit, gradients, *embedding);

    if (pass.keep == Keep::parameters) return kept;
    kept.embedding = std::move(embedding);
    kept.head = std::move(head);
    return kept;
}

void backward_through_blocks(const BackwardPass& pass, const Tensor2& logit_gradient, int first,
                             const BlockVisitor& visit) {
    const Config& c = pass.model.config;
    const Editor edit(pass.interventions, batch_in(pass));
    assert(static_cast<int>(logit_gradient.shape()[0]) == batch_in(pass).sequences);
    FlatWeights unwanted(c, FlatWeights::Room::nothing);

    HeadTrace head;
    head.logits = logit_gradient;
    Tensor2 dz = classify_back_to_tokens({pass.model, pass.trace.z(c.blocks), *pass.trace.head, unwanted}, head);
    const Blocks blocks{pass, unwanted, edit};
    for (int block = c.blocks; block >= first; --block) {
        BlockTrace of_block;
        dz = blocks.back(block, std::move(dz), of_block);
        visit(block, of_block);
    }
}

}  // namespace vitrine
