#pragma once

#include <string>
#include <vector>

#include "app/workspace/measured.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"

namespace vitrine {

/// The numbers behind the picture, for the clipboard. `measured` are the laboratory's measurements, null in the
/// explorer. Empty if there is nothing yet.
Table shown_table(const Result& now, const Focus& focus, const Measured* measured);

/// Names of the picture's measures and tensors in `vitrine export`.
std::vector<std::string> shown_measures(const Result& now, const Focus& focus, bool laboratory);

}  // namespace vitrine
