#pragma once

#include <string>

namespace vitrine {

/// What a Japanese word of the sentences that are drawn means in English, in a word or two: its partner in the
/// grammar's tables, or what a particle or an ending does; empty for other words and for signs.
std::string english_gloss(const std::string& japanese);

}  // namespace vitrine
