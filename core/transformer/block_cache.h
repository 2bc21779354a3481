#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace vitrine {

/// The blocks that runs within a budget of memory share: the newest stay, the others are computed again when they are
/// asked for. A block that a reader still holds counts for nobody and is handed out again. Thread-safe; one block is
/// computed at a time.
template <class Block>
class BlockCache {
public:
    /// `most` ≥ 1 blocks stay, the one being computed included.
    explicit BlockCache(std::size_t most) : most_(most) {}

    /// A block that is not kept by its run.
    struct Entry {
        std::function<std::shared_ptr<const Block>()> compute;
        std::weak_ptr<const Block> last = {};  // as it was computed last, while it lives
    };

    std::shared_ptr<const Block> get(Entry& entry) {
        const std::lock_guard lock(mutex_);
        std::shared_ptr<const Block> block = entry.last.lock();
        if (block) {
            std::erase(newest_, block);
        } else {
            make_room();
            block = entry.compute();
            entry.last = block;
        }
        make_room();
        newest_.push_back(block);
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
        newest_.push_back(std::move(block));
    }

    std::size_t most() const { return most_; }

private:
    void make_room() {
        while (newest_.size() >= most_) newest_.pop_front();
    }

    std::mutex mutex_;
    const std::size_t most_;
    std::deque<std::shared_ptr<const Block>> newest_;
};

}  // namespace vitrine
