#pragma once

#include "core/base/names.h"

namespace vitrine {

/// How the next word is chosen.
enum class DecodingMethod {
    greedy,  ///< the most probable one
    beam,    ///< the `width` most probable beginnings are followed
    sample,  ///< drawn from the probabilities
};
inline constexpr Named<DecodingMethod> decoding_methods[] = {
    {DecodingMethod::greedy, "greedy"}, {DecodingMethod::beam, "beam"}, {DecodingMethod::sample, "sample"}};

}  // namespace vitrine
