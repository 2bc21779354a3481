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

/// Names of the tensors of the run and the block in view, as `vitrine export` knows them.
std::vector<std::string> tensors_in_view(const Config& config, const Focus& focus);
/// Names of the measures of the laboratory's instrument in `vitrine export`; first the one of the picture. One of
/// several runs is in view only while its picture is.
std::vector<std::string> measures_in_view(const Config& config, const Laboratory& lab);
/// True for importance over images, pruning and patching: only the laboratory has their numbers, `shown_table`.
bool is_of_several_runs(const std::string& measure);

}  // namespace vitrine
