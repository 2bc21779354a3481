#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/training/picture_stream.h"

namespace vitrine {

/// The pictures of this batch and the next, drawn by idle threads. Any thread may draw any picture, since a picture is
/// a function of its number.
class PictureQueue {
public:
    PictureQueue(const PictureStream& stream, int size, int batch);

    /// Any thread: draws the batch's missing pictures, then waits until all are there.
    void complete(std::uint64_t batch);
    /// Any thread: draws pictures of a batch until `enough` or all are drawn.
    void draw_ahead(std::uint64_t batch, const std::function<bool()>& enough);
    /// One thread, while no other draws: frees the batch's memory for the batch after next.
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
    std::size_t bytes_;  // per picture
    std::array<Slot, 2> slots_;
};

}  // namespace vitrine
