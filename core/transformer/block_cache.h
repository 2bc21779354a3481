#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace vitrine {

/// A cache of blocks for runs with limited memory: keeps the most recently used, and recomputes the others on request.
/// Blocks that a reader holds count towards the limit, and are returned again. Thread-safe; one block is computed at a
/// time, and blocks in memory are available meanwhile.
template <class Block>
class BlockCache {
public:
    /// Keeps at most `most` ≥ 1 blocks, including the one being computed.
    explicit BlockCache(std::size_t most) : most_(most) {}

    /// A block that its run does not keep.
    struct Entry {
        std::function<std::shared_ptr<const Block>()> compute;
        std::weak_ptr<const Block> last = {};  // the last computed result, while it is in memory
    };

    /// The block, computed if it is not in memory.
    std::shared_ptr<const Block> get(Entry& entry) {
        if (auto block = there(entry)) return block;
        const std::lock_guard alone(computing_);
        if (auto block = there(entry)) return block;  // computed meanwhile
        expect_one();
        std::shared_ptr<const Block> block = entry.compute();
        add(entry, block);
        return block;
    }
    /// The block if it is in memory, else null. Never waits for a computation.
    std::shared_ptr<const Block> there(Entry& entry) {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<const Block> block = entry.last.lock();
        if (block && std::erase(newest_, block) > 0) newest_.push_back(block);
        return block;
    }

    /// Makes room for a block that is about to be computed.
    void expect_one() {
        const std::lock_guard lock(mutex_);
        make_room();
    }
    /// Keeps a block that has just been computed.
    void add(Entry& entry, std::shared_ptr<const Block> block) {
        const std::lock_guard lock(mutex_);
        entry.last = block;
        make_room();
        living_.push_back(block);
        newest_.push_back(std::move(block));
    }

    /// Reserves memory for other work, as much as `blocks` blocks need, until `give_back`.
    void lend(std::size_t blocks) {
        const std::lock_guard lock(mutex_);
        lent_ += blocks;
        make_room();
    }
    void give_back(std::size_t blocks) {
        const std::lock_guard lock(mutex_);
        lent_ -= blocks;
    }

    std::size_t most() const { return most_; }

private:
    /// Drops the least recently used blocks until there is room for one more; those that a reader holds stay.
    void make_room() {
        const std::size_t most = most_ > lent_ ? most_ - lent_ : 1;
        const auto living = [&] {
            std::erase_if(living_, [](const auto& block) { return block.expired(); });
            return living_.size();
        };
        while (!newest_.empty() && living() >= most) newest_.pop_front();
    }

    std::mutex computing_;  // held while a block is computed
    std::mutex mutex_;      // guards the members below, and the entries' `last`
    const std::size_t most_;
    std::size_t lent_ = 0;
    std::deque<std::shared_ptr<const Block>> newest_;
    std::vector<std::weak_ptr<const Block>> living_;  // all that may be in memory, including those of readers
};

}  // namespace vitrine
