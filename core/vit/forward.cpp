#include "core/vit/forward.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>
#include <utility>

#include "core/transformer/encoder_block.h"
#include "core/vit/embedding.h"
#include "core/vit/head.h"
#include "core/vit/readout.h"
#include "core/vit/run_memory.h"
#include "core/vit/token_places.h"
#include "core/vit/token_weights.h"

namespace vitrine {

namespace {

thread_local int no_pass_here = 0;
std::atomic<int> forbidden_blocks = 0;

Batch batch_of(const Model& model, const Tensor3& image) {
    return {static_cast<int>(image.shape()[0]) / model.config.channels, model.config.tokens()};
}

/// Inputs that all blocks of a run share. `places` may point into the embedding.
struct RunOfBlocks {
    const Model& model;
    Batch batch;
    std::span<const Intervention> interventions;
    const TokenPlaces& places;

    BlockTrace block(int block, const Tensor2& z) const {
        if (no_pass_here > 0) ++forbidden_blocks;
        const Editor edit(interventions, batch);
        return encoder_block({model.config, block, batch, edit, &places},
                             model.weights.blocks[static_cast<std::size_t>(block - 1)], z);
    }
};

/// The same inputs, owned, since a run within a budget recomputes blocks as long as its trace lives.
struct KeptRun {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const EmbeddingTrace> embedding;
    std::vector<Intervention> interventions;
    TokenPlaces places;
    Batch batch;

    std::shared_ptr<BlockTrace> block(int block, const Tensor2& z) const {
        return std::make_shared<BlockTrace>(RunOfBlocks{*model, batch, interventions, places}.block(block, z));
    }
};

/// Computes a block of a run within a budget, and adds it with the function that recomputes it.
void add_within(const BlockBudget& budget, Trace& trace, int block, const std::shared_ptr<const KeptRun>& run) {
    const std::shared_ptr<const Tensor2> before = trace.kept_z(block - 1);
    budget.cache->expect_one();
    const std::shared_ptr<BlockTrace> made = run->block(block, *before);
    trace.add_block(made, budget.cache, [run, block, before, z = made->z] {
        const std::shared_ptr<BlockTrace> again = run->block(block, *before);
        again->z = z;
        return again;
    });
}

/// Adds blocks ℓ = first … L and the head to a trace that holds everything before.
void continue_trace(const Model& model, Trace& trace, Batch batch, std::span<const Intervention> interventions,
                    const Progress& progress) {
    const int total = model.config.blocks;
    const TokenPlaces places = token_places(model.config, trace.embedding->rotation);
    const RunOfBlocks run{model, batch, interventions, places};
    std::shared_ptr<const KeptRun> kept;
    if (trace.budget)
        kept = std::make_shared<KeptRun>(
            KeptRun{trace.budget->model, trace.embedding, {interventions.begin(), interventions.end()}, places, batch});
    for (int block = trace.blocks() + 1; block <= total; ++block) {
        report(progress, static_cast<double>(block - 1) / total);
        if (kept)
            add_within(*trace.budget, trace, block, kept);
        else
            trace.add_block(std::make_shared<BlockTrace>(run.block(block, trace.z(block - 1))));
    }
    trace.head = std::make_shared<HeadTrace>(classify(model, trace.z(total)));
}

}  // namespace

Trace forward(const Model& model, Tensor3 image, const Progress& progress,
              std::span<const Intervention> interventions) {
    const Batch batch = batch_of(model, image);
    Trace trace;
    trace.embedding = std::make_shared<EmbeddingTrace>(embed(model, std::move(image), Editor(interventions, batch)));
    continue_trace(model, trace, batch, interventions, progress);
    return trace;
}

BlockBudget budget_of(std::shared_ptr<const Model> model, int kept_blocks) {
    assert(kept_blocks >= 2);
    return {std::move(model), std::make_shared<BlockCache<BlockTrace>>(static_cast<std::size_t>(kept_blocks)),
            std::make_shared<KeptWeights>()};
}

namespace {

Trace run_within(const BlockBudget& budget, Tensor3 image, const Progress& progress,
                 std::span<const Intervention> interventions) {
    const Model& model = *budget.model;
    const Batch batch = batch_of(model, image);
    Trace trace;
    trace.budget = budget;
    trace.embedding = std::make_shared<EmbeddingTrace>(embed(model, std::move(image), Editor(interventions, batch)));
    continue_trace(model, trace, batch, interventions, progress);
    return trace;
}

}  // namespace

Trace forward_within(const BlockBudget& budget, Tensor3 image, const Progress& progress) {
    return run_within(budget, std::move(image), progress, {});
}

Trace forward_in_passing(const Model& model, Tensor3 image, const Progress& progress,
                         std::span<const Intervention> interventions) {
    const std::shared_ptr<const Model> lent(std::shared_ptr<const void>(), &model);
    return run_within(budget_of(lent, 2), std::move(image), progress, interventions);
}

NoPassHere::NoPassHere() { ++no_pass_here; }
NoPassHere::~NoPassHere() { --no_pass_here; }
int NoPassHere::broken() { return forbidden_blocks; }

Trace Runs::run(Tensor3 image, const Progress& progress) const {
    if (kept_blocks) return forward_within(budget_of(model, *kept_blocks), std::move(image), progress);
    require_memory_for_run(*model);
    return forward(*model, std::move(image), progress);
}

Trace Runs::what_if(const Trace& baseline, std::span<const Intervention> interventions,
                    const Progress& progress) const {
    if (!baseline.budget) require_memory_for_what_if(*model, interventions);
    return vitrine::what_if(*model, baseline, interventions, progress);
}

Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress) {
    const int first = first_block(interventions, model.config.blocks);
    if (first > model.config.blocks) return baseline;

    if (first > 0) return run_from(model, baseline, first, interventions, progress);

    const Batch batch = batch_of(model, baseline.embedding->image);
    Trace trace = baseline;
    trace.embedding =
        std::make_shared<EmbeddingTrace>(embed(model, baseline.embedding->image, Editor(interventions, batch)));
    return run_from(model, trace, 1, interventions, progress);
}

Trace run_from(const Model& model, const Trace& run, int block, std::span<const Intervention> interventions,
               const Progress& progress) {
    Trace trace = run;
    trace.drop_blocks_after(block - 1);
    continue_trace(model, trace, batch_of(model, run.embedding->image), interventions, progress);
    return trace;
}

namespace {

/// Runs a pass that keeps only the current block in memory; calls after(ℓ, zℓ) for ℓ = 0 … L.
template <class After>
void pass_through(const Model& model, Tensor3 image, std::span<const Intervention> interventions, const After& after) {
    const Config& c = model.config;
    const Batch batch = batch_of(model, image);
    EmbeddingTrace embedding = embed(model, std::move(image), Editor(interventions, batch));
    const TokenPlaces places = token_places(c, embedding.rotation);
    const RunOfBlocks run{model, batch, interventions, places};
    auto z = std::make_shared<const Tensor2>(std::move(embedding.z));
    after(0, *z);
    for (int block = 1; block <= c.blocks; ++block) {
        z = run.block(block, *z).z;
        after(block, *z);
    }
}

}  // namespace

HeadTrace head_of(const Model& model, Tensor3 image, std::span<const Intervention> interventions) {
    HeadTrace head;
    pass_through(model, std::move(image), interventions, [&](int level, const Tensor2& z) {
        if (level == model.config.blocks) head = classify(model, z);
    });
    return head;
}

Tensor2 course_of_readout(const Model& model, Tensor3 image, const Progress& progress,
                          std::span<const Intervention> interventions) {
    const Config& c = model.config;
    Tensor2 course;
    pass_through(model, std::move(image), interventions, [&](int level, const Tensor2& z) {
        if (level == 0) course = tensor2(static_cast<std::size_t>(c.blocks) + 1, z.shape()[1]);
        std::copy_n(read_out(c, z).data(), z.shape()[1], &course(static_cast<std::size_t>(level), 0));
        if (level < c.blocks) report(progress, static_cast<double>(level) / c.blocks);
    });
    return course;
}

}  // namespace vitrine
