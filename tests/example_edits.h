#pragma once

#include <array>
#include <variant>

#include "core/transformer/intervention.h"

namespace vitrine {

/// An example of every kind of edit, in the order of `Edit`, each with an effect on a Vision Transformer's answer.
inline std::array<Intervention, std::variant_size_v<Edit>> example_edits() {
    return std::to_array<Intervention>({
        temperature(2, 1),
        without_scaling(),
        shuffle_tokens(4),
        key_is_query(2),
        activate_with(Activation::elu),
        normalise(Norm::after),
        {Site::msa, {}, Drop{0.2F, 5}},
        look_ahead(0, {}),
        slice_without_transpose(2),
        softmax_over_queries(),
        carry_normed(),
    });
}

}  // namespace vitrine
