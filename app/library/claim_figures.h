#pragma once

#include <string>

#include "core/claims/claims.h"

namespace vitrine {

/// The bundled results of a long run of `vitrine claims`.
const ClaimLog& claim_log();

/// Replaces every {claim:ID.FIGURE} by its measured value: the mean over all trials, a share as whole per cent.
std::string with_claim_figures(std::string words);

}  // namespace vitrine
