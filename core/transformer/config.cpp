#include "core/transformer/config.h"

namespace vitrine {

const char* name_of(Norm norm) { return norm == Norm::before ? "before" : norm == Norm::after ? "after" : "none"; }

}  // namespace vitrine
