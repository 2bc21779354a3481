#pragma once

#include <string>

#include "app/ui/text.h"

namespace vitrine {

/// All texts of a language, with the figures of claims; `english_terms`: with English terms beside the language's own.
Text words_of(const std::string& language, bool english_terms);

}  // namespace vitrine
