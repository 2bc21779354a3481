#include "core/vit/run_memory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/tensor/memory.h"
#include "core/tensor/recycling_allocator.h"
#include "core/vit/cost.h"

namespace vitrine {

void require_memory_for_weights(const Model& model) {
    constexpr double copies = 1.25;  // the matrix that is being packed, and those outside the blocks twice
    require_memory(
        {model.provenance.name + ": opening this model", copies * cost_of(shape_of(model.config)).weight_bytes});
}

void require_memory_for_run(const Model& model) {
    const Config& c = model.config;
    const auto counted = [](int count, const char* one) {
        return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
    };
    require_memory({model.provenance.name + ": a run of this model, of which every number is kept (" +
                        counted(c.tokens(), "token") + ", " + counted(c.heads, "head") + ", " +
                        counted(c.blocks, "block") + "),",
                    cost_of(shape_of(c)).trace_bytes});
}

namespace {

/// What a run within a budget needs, in bytes.
struct Needs {
    double beside = 0;  // the embedding and every zℓ
    double block = 0;

    double least() const { return beside + 2 * block; }
    int blocks(double bytes, int most) const {
        return static_cast<int>(std::min<double>(most, std::floor((bytes - beside) / block)));
    }
};

Needs needs_of(const Config& c) {
    const Cost cost = cost_of(shape_of(c));
    // Every zℓ is kept twice, for the run and its what-if; a backward pass and measures need a few matrices.
    const double z = 4.0 * c.tokens() * c.embedding_dim * (2 * c.blocks + 4);
    return {cost.embedding_bytes + z, cost.block_bytes};
}

}  // namespace

int blocks_within(const Model& model, double bytes) {
    const Needs needs = needs_of(model.config);
    constexpr double megabyte = 1 << 20;
    if (bytes < needs.least())
        throw Error(model.provenance.name + ": " + std::to_string(static_cast<long>(bytes / megabyte)) +
                    "M of memory are too little for a run of this model beside its weights; give at least " +
                    std::to_string(static_cast<long>(std::ceil(needs.least() / megabyte))) + "M");
    return needs.blocks(bytes, model.config.blocks);
}

std::optional<int> blocks_in_free_memory(const Model& model, double free) {
    constexpr double share_of_whole_runs = 0.8, share_of_blocks = 0.5;
    if (2 * cost_of(shape_of(model.config)).trace_bytes <= share_of_whole_runs * free) return {};
    const Needs needs = needs_of(model.config);
    require_memory({model.provenance.name + ": a run of this model, of which only two blocks are kept at a time,",
                    needs.least() / share_of_blocks},
                   free);
    return needs.blocks(share_of_blocks * free, model.config.blocks);
}

std::optional<int> blocks_in_free_memory(const Model& model) {
    const std::optional<double> available = available_memory();
    if (!available) return {};
    return blocks_in_free_memory(model, *available + static_cast<double>(memory_pool::idle_bytes()));
}

void require_memory_for_what_if(const Model& model, std::span<const Intervention> what_ifs) {
    const int blocks = model.config.blocks, again = blocks - std::max(1, first_block(what_ifs, blocks)) + 1;
    if (what_ifs.empty() || again < 1) return;
    require_memory({model.provenance.name + ": a what-if in this model, kept beside the run without it,",
                    cost_of(shape_of(model.config)).block_bytes * again, "switch parts off in later blocks only"});
}

void require_memory_for_matrices(const Model& model, int count, const std::string& what) {
    const double tokens = model.config.tokens();
    require_memory({model.provenance.name + ": " + what, 4 * tokens * tokens * count});
}

}  // namespace vitrine
