#pragma once

#include <string>

namespace vitrine {

struct Frame;

/// Translates an error's English sentence into the window's language. The patterns are the English texts with keys
/// "failure.…", whose names in braces stand for values. A sentence that matches no pattern stays as it is.
std::string translated_error(const Frame& frame, const std::string& sentence);

}  // namespace vitrine
