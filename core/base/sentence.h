#pragma once

#include <exception>
#include <string>

namespace vitrine {

/// Turns an exception of any kind into one sentence without a newline: an Error's own words; a remedy if memory or a
/// file is the cause; otherwise the library's words. For `main` and the jobs, which let no exception pass.
///
///   `reason` not null
std::string sentence_of(const std::exception_ptr& reason);

}  // namespace vitrine
