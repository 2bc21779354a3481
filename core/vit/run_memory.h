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

// Memory checks before a model is read and before it runs, so that too large a task is refused instead of crashing the
// program: then Error, with the need and the free memory, is thrown.

/// For the weights.
void require_memory_for_weights(const Model& model);

/// For the trace of one image.
void require_memory_for_run(const Model& model);

/// Memory of runs beside the weights: as much as is free, all that the runs need, or an amount.
struct RunMemory {
    enum class Kind { automatic, all, amount };
    Kind kind = Kind::automatic;
    double bytes = 0;  // of an amount

    bool operator==(const RunMemory&) const = default;
};
/// "automatic", "all", or an amount such as 320M or 4G; none for other words.
std::optional<RunMemory> run_memory_of(std::string_view words);

/// The runs that share a budget, and the number of blocks that they need at least.
struct RunUse {
    int runs = 1;        // 2: a run and its what-if
    int held = 2;        // blocks in memory at a time, at least
    bool keeps = false;  // true if attention weights of tokens are kept for figures through all blocks
};
inline constexpr RunUse one_run{}, run_and_what_if{2, 2, false}, shown_run{2, 3, true};

inline RunUse use_of(std::span<const Intervention> what_ifs) { return what_ifs.empty() ? one_run : run_and_what_if; }

/// Bytes beside the weights: with all blocks kept, and with as few as possible.
struct RunNeeds {
    double all = 0, least = 0;
};
RunNeeds needs_of_runs(const Config& config, const RunUse& use);

/// How many blocks the runs may keep in a budget of bytes; none if all fit. Throws Error below the least.
std::optional<int> blocks_within(const Model& model, double bytes, const RunUse& use);

/// The number of blocks that they may keep in the memory that is free now; none if all fit. Throws Error below the
/// least.
std::optional<int> blocks_in_free_memory(const Model& model, const RunUse& use);
/// The same for an amount of free memory, in bytes.
std::optional<int> blocks_in_free_memory(const Model& model, const RunUse& use, double free);

/// The number of blocks that they may keep within the user's choice; none: all. Throws Error below the least, and if
/// the machine has less memory than was chosen.
std::optional<int> blocks_in(const Model& model, const RunMemory& memory, const RunUse& use);

/// Memory of work beside the block that it reads: that of `blocks` blocks and of `matrices` matrices (N, N).
struct BesideBlock {
    int blocks = 0, matrices = 0;
};
/// Room for such work in a run within a budget, which keeps fewer blocks meanwhile; nothing for other runs.
class RoomBesideBlocks {
public:
    /// `what` names the work: "relevance". Throws Error with the least budget if this one has no such room.
    RoomBesideBlocks(const Trace& trace, const BesideBlock& work, const std::string& what);
    ~RoomBesideBlocks();
    RoomBesideBlocks(const RoomBesideBlocks&) = delete;
    RoomBesideBlocks& operator=(const RoomBesideBlocks&) = delete;

private:
    std::shared_ptr<BlockCache<BlockTrace>> cache_;
    std::size_t blocks_ = 0;
};

/// For the blocks that a what-if recomputes: those from its first edit on.
void require_memory_for_what_if(const Model& model, std::span<const Intervention> what_ifs);

/// For `count` matrices (N, N) at once; `what` names the work: "measuring rollout".
void require_memory_for_matrices(const Model& model, int count, const std::string& what);

}  // namespace vitrine
