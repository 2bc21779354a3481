#pragma once

#include <string_view>

#include "core/training/runs/run_record.h"

namespace vitrine {

/// The bundled recordings of both runs of an experiment, made by `vitrine claims --record`; null if there are none.
const RecordedPair* recorded_runs(std::string_view preset);

}  // namespace vitrine
