#pragma once

#include "core/base/names.h"

namespace vitrine {

/// Choice of the next word.
enum class DecodingMethod {
    greedy,  ///< the most probable one
    beam,    ///< beam search: keeps the `width` most probable hypotheses
    sample,  ///< sampled
};
inline constexpr Named<DecodingMethod> decoding_methods[] = {
    {DecodingMethod::greedy, "greedy"}, {DecodingMethod::beam, "beam"}, {DecodingMethod::sample, "sample"}};

/// When decoding stops.
enum class Ending {
    at_eos,      ///< at the first [EOS]
    at_longest,  ///< when the positions run out: [EOS] counts as a word, a common mistake in course code
};

}  // namespace vitrine
