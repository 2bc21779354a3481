#pragma once

#include <string>

namespace vitrine {

struct Frame;

/// An error's sentence in the window's language, where its words have it under "failure.": the English words there are
/// the sentence itself, with its names in braces. Other sentences stay as they are.
std::string translated_error(const Frame& frame, const std::string& sentence);

}  // namespace vitrine
