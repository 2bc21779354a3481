#pragma once

#include <string>
#include <vector>

#include "app/workspace/measured.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"

namespace vitrine {

/// The numbers behind the picture, as they are shown: for the clipboard. `measured` is what the laboratory shows, null
/// in the explorer. Empty where there is nothing yet.
Table shown_table(const Result& now, const Focus& focus, const Measured* measured);

/// The measures and tensors, by their names for `vitrine export`, that the picture is about.
std::vector<std::string> shown_measures(const Result& now, const Focus& focus, bool laboratory);

}  // namespace vitrine
