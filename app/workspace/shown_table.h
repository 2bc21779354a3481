#pragma once

#include <string>
#include <vector>

#include "app/workspace/measured.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"

namespace vitrine {

/// The numbers of the figure in view, for the clipboard. `measured` are the laboratory's measurements, null in the
/// explorer. Empty while nothing is measured.
Table shown_table(const Result& now, const Focus& focus, const Measured* measured);

/// Names of the tensors of the run and of the block in view, as in `vitrine export`.
std::vector<std::string> tensors_in_view(const Config& config, const Focus& focus);
/// Names in `vitrine export` of the measures of the laboratory's instrument; the one in the figure comes first. A
/// measure over several runs is listed only while its figure is shown.
std::vector<std::string> measures_in_view(const Config& config, const Laboratory& lab);
/// True for importance over images, pruning and patching: only the laboratory has their numbers (`shown_table`).
bool is_of_several_runs(const std::string& measure);

}  // namespace vitrine
