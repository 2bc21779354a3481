#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// Memory checks before a model is read and before it runs, so that a task that is too large does not crash the program.
// They throw Error, with the needed and the free memory.

/// Checks the memory for the weights.
void require_memory_for_weights(const Model& model);

/// Checks the memory for the trace of one image.
void require_memory_for_run(const Model& model);

/// Memory of runs besides the weights: as much as is free, all that the runs need, or an amount.
struct RunMemory {
    enum class Kind { automatic, all, amount };
    Kind kind = Kind::automatic;
    double bytes = 0;  // of an amount

    bool operator==(const RunMemory&) const = default;
};
/// "automatic", "all", or an amount such as 320M or 4G; none for other words.
std::optional<RunMemory> run_memory_of(std::string_view words);

/// The runs that share a budget, and the least number of blocks that they need.
struct RunUse {
    int runs = 1;        // 2: a run and its what-if
    int held = 2;        // least number of blocks in memory at a time
    bool keeps = false;  // true if attention weights of tokens are kept for figures through all blocks
};
inline constexpr RunUse one_run{}, run_and_what_if{2, 2, false}, shown_run{2, 3, true};

inline RunUse use_of(std::span<const Intervention> what_ifs) { return what_ifs.empty() ? one_run : run_and_what_if; }

/// Bytes that runs need besides the weights: with all blocks kept, and with as few as possible.
struct RunNeeds {
    double all = 0, least = 0;
};
RunNeeds needs_of_runs(const Config& config, const RunUse& use);

/// The number of blocks that the runs may keep in a budget of bytes; none if all fit. Throws Error if the budget is
/// less than `RunNeeds::least`.
std::optional<int> blocks_within(const Model& model, double bytes, const RunUse& use);

/// The number of blocks that the runs may keep in the memory that is free now; none if all fit. Throws Error if too
/// little is free.
std::optional<int> blocks_in_free_memory(const Model& model, const RunUse& use);
/// The same for an amount of free memory, in bytes.
std::optional<int> blocks_in_free_memory(const Model& model, const RunUse& use, double free);

/// The number of blocks that the runs may keep within the user's choice; none: all. Throws Error if the choice is too
/// small, or the machine has less memory.
std::optional<int> blocks_in(const Model& model, const RunMemory& memory, const RunUse& use);

/// Memory that work needs besides the block that it reads: for `blocks` blocks and `matrices` matrices (N, N).
struct BesideBlock {
    int blocks = 0, matrices = 0;
};
/// Reserves memory for such work in a run within a budget, which keeps fewer blocks meanwhile; no effect on other runs.
class RoomBesideBlocks {
public:
    /// `what` names the work: "relevance". Throws Error, with the least budget, if the run's is too small.
    RoomBesideBlocks(const Trace& trace, const BesideBlock& work, const std::string& what);
    ~RoomBesideBlocks();
    RoomBesideBlocks(const RoomBesideBlocks&) = delete;
    RoomBesideBlocks& operator=(const RoomBesideBlocks&) = delete;

private:
    std::shared_ptr<BlockCache<BlockTrace>> cache_;
    std::size_t blocks_ = 0;
};

/// Checks the memory for the blocks that a what-if recomputes: those from its first edit on.
void require_memory_for_what_if(const Model& model, std::span<const Intervention> what_ifs);

/// Checks the memory for `count` matrices (N, N) at once; `what` names the work: "measuring rollout".
void require_memory_for_matrices(const Model& model, int count, const std::string& what);

}  // namespace vitrine
