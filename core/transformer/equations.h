#pragma once

#include <span>

#include "core/transformer/block_equations.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// The equations of a place. Interventions that name another block, head, token, stack or attention do not count, nor
/// do those that name one if the place names none. A place without a stack or an attention means the encoder's
/// self-attention.
Equations equations_of(const TransformerConfig& config, std::span<const Intervention> interventions,
                       const Where& place = {});

}  // namespace vitrine
