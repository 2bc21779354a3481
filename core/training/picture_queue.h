#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/training/picture_stream.h"

namespace vitrine {

/// The pictures of this batch and the next, drawn by whichever thread has nothing better to do. Which thread draws one
/// does not matter: a picture is a function of its number.
class PictureQueue {
public:
    PictureQueue(const PictureStream& stream, int size, int batch);

    /// Any thread: draws what this batch still lacks, then waits until all of it is there.
    void complete(std::uint64_t batch);
    /// Any thread: draws pictures of a batch until `enough` or all are drawn.
    void draw_ahead(std::uint64_t batch, const std::function<bool()>& enough);
    /// One thread, while no other draws: the batch's memory is free for the one after next.
    void release(std::uint64_t batch);

    const std::uint8_t* pixels(std::uint64_t batch, int index) const;  // (size, size, 3)
    int label(std::uint64_t batch, int index) const;

private:
    struct Slot {
        std::vector<std::uint8_t> rgb;
        std::vector<int> labels;
        std::atomic<int> claimed = 0, drawn = 0;
    };
    Slot& slot(std::uint64_t batch) { return slots_[batch % 2]; }
    bool draw_one(std::uint64_t batch);

    PictureStream stream_;
    int size_, batch_;
    std::size_t bytes_;  // of a picture
    std::array<Slot, 2> slots_;
};

}  // namespace vitrine
