#pragma once

#include "core/transformer/config.h"

namespace vitrine {

/// The kinds of positions that Vitrine can train; rotary positions occur only in loaded Vision Transformers.
inline constexpr Named<Positions> trained_positions[] = {
    {Positions::sines, "sines"}, {Positions::learned, "learned"}, {Positions::none, "none"}};

}  // namespace vitrine
