#include "core/vit/run_memory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/tensor/memory.h"
#include "core/vit/cost.h"

namespace vitrine {

void require_memory_for_weights(const Model& model) {
    constexpr double copies = 2;
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

int blocks_within(const Model& model, double bytes) {
    const Config& c = model.config;
    const Cost cost = cost_of(shape_of(c));
    // Every zℓ is kept twice, for the run and its what-if; a backward pass and measures need a few matrices.
    const double z = 4.0 * c.tokens() * c.embedding_dim * (2 * c.blocks + 4);
    const double beside = cost.embedding_bytes + z, least = beside + 2 * cost.block_bytes;
    constexpr double megabyte = 1 << 20;
    if (bytes < least)
        throw Error(model.provenance.name + ": --memory " + std::to_string(static_cast<long>(bytes / megabyte)) +
                    "M is too little for a run of this model beside its weights; give at least " +
                    std::to_string(static_cast<long>(std::ceil(least / megabyte))) + "M");
    return static_cast<int>(std::min<double>(c.blocks, std::floor((bytes - beside) / cost.block_bytes)));
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
