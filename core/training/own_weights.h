#pragma once

#include <algorithm>
#include <vector>

#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// Copies a model's weights into one mutable buffer, which is returned; the model becomes a view of it.
template <class Weights, class Model>
Weights own_weights(Model& model) {
    Weights buffer(model.config);
    const std::vector<NamedParameter> from = parameters_of(model.weights), to = parameters_of(buffer.weights());
    for (std::size_t i = 0; i < to.size(); ++i)
        if (const Parameter& p = from[i].parameter; p.size() > 0)
            std::copy_n(p.data(), p.size(), buffer.at(to[i].parameter));
    model.weights = buffer.weights();
    return buffer;
}

}  // namespace vitrine
