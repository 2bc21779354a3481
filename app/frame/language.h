#pragma once

#include <string>

#include "app/ui/text.h"

namespace vitrine {

/// All words of a language; with English terms beside those of another one, if wanted.
Text words_of(const std::string& language, bool english_terms);

}  // namespace vitrine
