#pragma once

#include "core/transformer/config.h"

namespace vitrine {

/// The kinds of positions that Vitrine's own runs and texts can have; rotary ones come with checkpoints of pictures.
inline constexpr Named<Positions> trained_positions[] = {
    {Positions::sines, "sines"}, {Positions::learned, "learned"}, {Positions::none, "none"}};

}  // namespace vitrine
