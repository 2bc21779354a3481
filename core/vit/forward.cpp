#include "core/vit/forward.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/transformer/encoder_block.h"
#include "core/vit/embedding.h"
#include "core/vit/head.h"
#include "core/vit/readout.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

Batch batch_of(const Model& model, const Tensor3& image) {
    return {static_cast<int>(image.shape()[0]) / model.config.channels, model.config.tokens()};
}

/// Adds blocks ℓ = first … L and the head to a trace that holds everything before.
void continue_trace(const Model& model, Trace& trace, Batch batch, const Editor& edit, const Progress& progress) {
    const int total = model.config.blocks;
    const TokenPlaces places = token_places(model.config, trace.embedding->rotation);
    for (int block = trace.blocks() + 1; block <= total; ++block) {
        report(progress, static_cast<double>(block - 1) / total);
        const BlockWeights& weights = model.weights.blocks[static_cast<std::size_t>(block - 1)];
        const Layer layer{model.config, block, batch, edit, &places};
        trace.add_block(std::make_shared<BlockTrace>(encoder_block(layer, weights, trace.z(block - 1))));
    }
    trace.head = std::make_shared<HeadTrace>(classify(model, trace.z(total)));
}

}  // namespace

Trace forward(const Model& model, Tensor3 image, const Progress& progress,
              std::span<const Intervention> interventions) {
    const Batch batch = batch_of(model, image);
    const Editor edit(interventions, batch);
    Trace trace;
    trace.embedding = std::make_shared<EmbeddingTrace>(embed(model, std::move(image), edit));
    continue_trace(model, trace, batch, edit, progress);
    return trace;
}

Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress) {
    const int first = first_block(interventions, model.config.blocks);
    if (first > model.config.blocks) return baseline;

    const Batch batch = batch_of(model, baseline.embedding->image);
    const Editor edit(interventions, batch);
    Trace trace = baseline;
    trace.drop_blocks_after(first - 1);
    if (first == 0) trace.embedding = std::make_shared<EmbeddingTrace>(embed(model, baseline.embedding->image, edit));
    continue_trace(model, trace, batch, edit, progress);
    return trace;
}

Tensor2 course_of_readout(const Model& model, Tensor3 image, const Progress& progress,
                          std::span<const Intervention> interventions) {
    const Config& c = model.config;
    const Batch batch = batch_of(model, image);
    const Editor edit(interventions, batch);
    EmbeddingTrace embedding = embed(model, std::move(image), edit);
    const TokenPlaces places = token_places(c, embedding.rotation);
    auto z = std::make_shared<const Tensor2>(std::move(embedding.z));
    Tensor2 course = tensor2(static_cast<std::size_t>(c.blocks) + 1, z->shape()[1]);
    const auto keep = [&](int level) {
        std::copy_n(read_out(c, *z).data(), z->shape()[1], &course(static_cast<std::size_t>(level), 0));
    };
    keep(0);
    for (int block = 1; block <= c.blocks; ++block) {
        report(progress, static_cast<double>(block - 1) / c.blocks);
        z = encoder_block({c, block, batch, edit, &places}, model.weights.blocks[static_cast<std::size_t>(block - 1)],
                          *z)
                .z;
        keep(block);
    }
    return course;
}

}  // namespace vitrine
