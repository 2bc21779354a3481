#pragma once

#include <span>

#include "core/transformer/block_equations.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// The equations of a place. An intervention has an effect only if each block, head, token, stack and attention that it
/// names is the place's. A place without a stack or an attention means the encoder's self-attention.
Equations equations_of(const TransformerConfig& config, std::span<const Intervention> interventions,
                       const Where& place = {});

}  // namespace vitrine
