#pragma once

#include <span>

#include "core/transformer/block_equations.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// The equations of a place: what names another block, head, token, stack or attention does not count, nor does what
/// names one where the place names none. A place without a stack or an attention is the encoder's self-attention.
Equations equations_of(const TransformerConfig& config, std::span<const Intervention> interventions,
                       const Where& place = {});

}  // namespace vitrine
