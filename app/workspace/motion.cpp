#include "app/workspace/motion.h"

#include <algorithm>

namespace vitrine {

namespace {

constexpr float motion_seconds = 1.2F;

}  // namespace

void Motion::play() {
    if (time >= 1.0F) time = 0.0F;
    playing = true;
    waits = false;
}

void Motion::advance(float seconds) {
    if (!playing) return;
    time = std::min(1.0F, time + seconds / motion_seconds);
    playing = time < 1.0F;
}

}  // namespace vitrine
