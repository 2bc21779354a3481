#pragma once

#include <string>

namespace vitrine {

/// English gloss of a Japanese word of the drawn sentences: its translation in the grammar's tables, or the function of
/// a particle or an ending; empty for other words and for punctuation.
std::string english_gloss(const std::string& japanese);

}  // namespace vitrine
