#pragma once

#include <array>
#include <memory>
#include <variant>
#include <vector>

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
        {Site::heads, {2, 1, {}}, Replace{std::make_shared<const std::vector<float>>(std::vector{0.5F, -0.25F})}},
        {Site::scores, {.block = 1, .tokens = {0, 2}}, KnockOut{{1, 3}}},
        {Site::scores, {}, LocalWindow{0, 1, 2}},
        {Site::tokens, {{}, {}, 2}, Noise{0.5F, 3}},
        {Site::tokens, {.tokens = {3, 4}}, Average{1}},
        {Site::position, {}, Swap{1, 3}},
        {Site::position, {}, Coarsen{1, 1, 2}},
        {Site::stream, {1, {}, 0}, AddRow{2, 0.5F}},
        {Site::embedded, {}, CoverPatches{Cover::blur, 1, {2, 3}}},
        {Site::stream, {2, {}, {}}, ScaleChange{0.25F}},
        {Site::tokens,
         {.tokens = {1, 2}},
         SetMean{"photos", std::make_shared<const std::vector<float>>(std::vector{0.5F})}},
        slice_without_transpose(2),
        softmax_over_queries(),
        carry_normed(),
    });
}

}  // namespace vitrine
