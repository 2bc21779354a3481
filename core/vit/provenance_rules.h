#pragma once

#include <vector>

#include "core/vit/provenance.h"

namespace vitrine {

/// How a cell comes about: the rule, and the cells that it is computed from.
struct Origin {
    Rule rule = Rule::given;
    double factor = 1.0;  // of a product sum
    std::vector<Source> sources;
};

/// The table of the forward pass: for each tensor of a run, the rule of its cells and the cells that they come from, as
/// the run's model and what-ifs have it. ViT paper, Eqs. 1 to 4.
Origin origin_of(const Record& record, const Cell& cell);

}  // namespace vitrine
