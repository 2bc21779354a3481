#include "core/vit/run_memory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/numbers.h"
#include "core/tensor/memory.h"
#include "core/tensor/recycling_allocator.h"
#include "core/vit/cost.h"

namespace vitrine {

void require_memory_for_weights(const Model& model) {
    constexpr double copies =
        1.25;  // for the matrix being packed, and those outside the blocks, which are stored twice
    require_memory({model.provenance.name + ": opening this model", copies * cost_of(model.config).weight_bytes});
}

void require_memory_for_run(const Model& model) {
    const Config& c = model.config;
    const auto counted = [](int count, const char* one) {
        return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
    };
    require_memory({model.provenance.name + ": a run of this model, of which every number is kept (" +
                        counted(c.tokens(), "token") + ", " + counted(c.heads, "head") + ", " +
                        counted(c.blocks, "block") + "),",
                    cost_of(c).trace_bytes});
}

namespace {

constexpr double megabyte = 1 << 20, gigabyte = 1 << 30;

std::string megabytes_up(double bytes) { return std::to_string(static_cast<long>(std::ceil(bytes / megabyte))) + "M"; }

/// The need of runs within a budget, in bytes.
struct Needs {
    double fixed = 0;  // the embedding and every zℓ
    double block = 0;

    double with(double blocks) const { return fixed + blocks * block; }
};

Needs needs_of(const Config& c, const RunUse& use) {
    const Cost cost = cost_of(c);
    // Every zℓ is kept twice, for the run and its what-if; a backward pass and measures need a few matrices.
    const double z = 4.0 * c.tokens() * c.embedding_dim * (2 * c.blocks + 4);
    constexpr double tokens_kept = 4;  // usually one; a comparison of heads may name more
    const double weights = use.keeps ? 4.0 * tokens_kept * c.blocks * c.heads * c.tokens() : 0;
    return {cost.embedding_bytes + z + weights, cost.block_bytes};
}

}  // namespace

std::optional<RunMemory> run_memory_of(std::string_view words) {
    if (words == "automatic") return RunMemory{};
    if (words == "all") return RunMemory{RunMemory::Kind::all, 0};
    if (words.empty()) return {};
    const char unit = words.back();
    const auto number = number_from<double>(words.substr(0, words.size() - 1));
    if ((unit != 'M' && unit != 'G') || !number || !(*number > 0) || !std::isfinite(*number)) return {};
    return RunMemory{RunMemory::Kind::amount, *number * (unit == 'M' ? megabyte : gigabyte)};
}

RunNeeds needs_of_runs(const Config& config, const RunUse& use) {
    const Needs needs = needs_of(config, use);
    return {needs.with(use.runs * config.blocks), needs.with(use.held)};
}

std::optional<int> blocks_within(const Model& model, double bytes, const RunUse& use) {
    const RunNeeds runs = needs_of_runs(model.config, use);
    if (bytes >= runs.all) return {};
    if (bytes < runs.least)
        throw Error(model.provenance.name + ": " + std::to_string(static_cast<long>(bytes / megabyte)) +
                    "M of memory are too little for a run of this model beside its weights; give at least " +
                    megabytes_up(runs.least));
    const Needs needs = needs_of(model.config, use);
    return static_cast<int>((bytes - needs.fixed) / needs.block);
}

std::optional<int> blocks_in_free_memory(const Model& model, const RunUse& use, double free) {
    constexpr double share_of_whole_runs = 0.8, share_of_blocks = 0.5;
    if (use.runs * cost_of(model.config).trace_bytes <= share_of_whole_runs * free) return {};
    require_memory({model.provenance.name + ": a run of this model, of which only " + std::to_string(use.held) +
                        " blocks are kept at a time,",
                    needs_of_runs(model.config, use).least / share_of_blocks},
                   free);
    return blocks_within(model, share_of_blocks * free, use);
}

std::optional<int> blocks_in_free_memory(const Model& model, const RunUse& use) {
    const std::optional<double> available = available_memory();
    if (!available) return {};
    return blocks_in_free_memory(model, use, *available + static_cast<double>(memory_pool::idle_bytes()));
}

std::optional<int> blocks_in(const Model& model, const RunMemory& memory, const RunUse& use) {
    if (memory.kind == RunMemory::Kind::automatic) return blocks_in_free_memory(model, use);
    if (memory.kind == RunMemory::Kind::all) return {};
    const std::optional<int> kept = blocks_within(model, memory.bytes, use);
    if (kept)
        require_memory({model.provenance.name + ": a run of this model within its budget,",
                        needs_of(model.config, use).with(*kept), "choose a smaller budget"});
    return kept;
}

RoomBesideBlocks::RoomBesideBlocks(const Trace& trace, const BesideBlock& work, const std::string& what) {
    if (!trace.budget) return;
    const Config& c = trace.budget->model->config;
    const Needs needs = needs_of(c, shown_run);
    const std::size_t most = trace.budget->cache->most();
    const double matrices = 4.0 * c.tokens() * c.tokens() * work.matrices;
    auto blocks = static_cast<std::size_t>(std::ceil(work.blocks + matrices / needs.block));
    if (!trace.budget->firm) blocks = std::min(blocks, most - 1);
    if (blocks >= most)
        throw Error(trace.budget->model->provenance.name + ": the memory for runs is too little for " + what +
                    "; give at least " + megabytes_up(needs.with(static_cast<double>(blocks) + 1)));
    cache_ = trace.budget->cache;
    blocks_ = blocks;
    cache_->lend(blocks_);
    memory_pool::trim();  // the work's tensors have other sizes, so they cannot reuse the idle blocks
}

RoomBesideBlocks::~RoomBesideBlocks() {
    if (cache_) cache_->give_back(blocks_);
}

void require_memory_for_what_if(const Model& model, std::span<const Intervention> what_ifs) {
    const int blocks = model.config.blocks, again = blocks - std::max(1, first_block(what_ifs, blocks)) + 1;
    if (what_ifs.empty() || again < 1) return;
    require_memory({model.provenance.name + ": a what-if in this model, kept beside the run without it,",
                    cost_of(model.config).block_bytes * again, "switch parts off in later blocks only"});
}

void require_memory_for_matrices(const Model& model, int count, const std::string& what) {
    const double tokens = model.config.tokens();
    require_memory({model.provenance.name + ": " + what, 4 * tokens * tokens * count});
}

}  // namespace vitrine
