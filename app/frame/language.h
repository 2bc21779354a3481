#pragma once

#include <string>

#include "app/ui/text.h"

namespace vitrine {

/// All texts of a language, optionally with English terms in another one.
Text words_of(const std::string& language, bool english_terms);

}  // namespace vitrine
