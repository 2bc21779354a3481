#pragma once

#include <algorithm>
#include <vector>

#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// A mutable copy of a model's weights in one buffer; the model becomes a view of it.
template <class Weights, class Model>
Weights own_weights(Model& model) {
    Weights row(model.config);
    const std::vector<NamedParameter> from = parameters_of(model.weights), to = parameters_of(row.weights());
    for (std::size_t i = 0; i < to.size(); ++i)
        if (const Parameter& p = from[i].parameter; p.size() > 0)
            std::copy_n(p.data(), p.size(), row.at(to[i].parameter));
    model.weights = row.weights();
    return row;
}

}  // namespace vitrine
