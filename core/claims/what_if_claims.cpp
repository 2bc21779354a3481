#include "core/claims/claims.h"

// What is said of what-ifs, and of the bundled model as it is: tried on fresh pictures of its own set.

namespace vitrine {

std::vector<Claim> what_if_claims() { return {}; }

}  // namespace vitrine
