#pragma once

#include <string_view>

#include "core/training/runs/run_record.h"

namespace vitrine {

/// Both runs of an experiment as `vitrine claims --record` kept them once; null where there are none.
const RecordedPair* recorded_runs(std::string_view preset);

}  // namespace vitrine
