#pragma once

#include <vector>

#include "core/vit/provenance.h"

namespace vitrine {

/// The rule of an element and its sources.
struct Origin {
    Rule rule = Rule::given;
    double factor = 1.0;  // factor of a sum of products
    std::vector<Source> sources;
};

/// The table of the forward pass: for each tensor, the rule of its elements and their sources, given the run's model
/// and interventions. ViT paper, Eqs. 1 to 4.
Origin origin_of(const Record& record, const Cell& cell);

}  // namespace vitrine
