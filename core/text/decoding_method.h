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

/// Where a text that is produced ends.
enum class Ending {
    at_eos,      ///< at its first [EOS]
    at_longest,  ///< where there are no more places: [EOS] is a word like any other, as where course code forgets it
};

}  // namespace vitrine
