#pragma once

#include <string>

#include "core/claims/claims.h"

namespace vitrine {

/// What a long run of `vitrine claims` gave, as the program brings it along.
const ClaimLog& claim_log();

/// Words with every {claim:ID.FIGURE} as it was measured: a share as whole per cent, the mean over all tries.
std::string with_claim_figures(std::string words);

}  // namespace vitrine
