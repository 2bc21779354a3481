#include "core/training/picture_queue.h"

#include <thread>

namespace vitrine {

PictureQueue::PictureQueue(const PictureStream& stream, int size, int batch)
    : stream_(stream),
      size_(size),
      batch_(batch),
      bytes_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 3) {
    for (Slot& s : slots_) {
        s.rgb.resize(bytes_ * static_cast<std::size_t>(batch));
        s.labels.resize(static_cast<std::size_t>(batch));
    }
}

bool PictureQueue::draw_one(std::uint64_t batch) {
    Slot& s = slot(batch);
    const int i = s.claimed.fetch_add(1);
    if (i >= batch_) return false;
    const auto index = static_cast<std::size_t>(i);
    const std::uint64_t number = batch * static_cast<std::uint64_t>(batch_) + index;
    const PictureRequest request{stream_.set, stream_.picture(number), size_, {}};
    s.labels[index] = draw_pixels(request, s.rgb.data() + index * bytes_);
    s.drawn.fetch_add(1, std::memory_order_release);
    return true;
}

void PictureQueue::complete(std::uint64_t batch) {
    while (draw_one(batch)) {
    }
    // Other threads are still drawing the last pictures, which takes about 0.1 ms.
    while (slot(batch).drawn.load(std::memory_order_acquire) < batch_) std::this_thread::yield();
}

void PictureQueue::draw_ahead(std::uint64_t batch, const std::function<bool()>& enough) {
    while (!enough() && draw_one(batch)) {
    }
}

void PictureQueue::release(std::uint64_t batch) {
    slot(batch).claimed = 0;
    slot(batch).drawn = 0;
}

const std::uint8_t* PictureQueue::pixels(std::uint64_t batch, int index) const {
    return slots_[batch % 2].rgb.data() + static_cast<std::size_t>(index) * bytes_;
}

int PictureQueue::label(std::uint64_t batch, int index) const {
    return slots_[batch % 2].labels[static_cast<std::size_t>(index)];
}

}  // namespace vitrine
