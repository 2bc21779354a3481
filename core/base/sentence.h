#pragma once

#include <exception>
#include <string>

namespace vitrine {

/// Turns an exception (not null) of any kind into one sentence without a newline: an Error's own text; a remedy if
/// memory or a file is the cause; otherwise the library's text. For `main` and the jobs, which let no exception pass.
std::string sentence_of(const std::exception_ptr& reason);

}  // namespace vitrine
