#pragma once

#include <exception>
#include <string>

namespace vitrine {

/// What an exception of any kind says, as one sentence without a newline: an Error's own words; what to do where memory
/// or a file is the reason; else what its library says of it. For `main` and the jobs, past which nothing is thrown.
///
///   `reason` not null
std::string sentence_of(const std::exception_ptr& reason);

}  // namespace vitrine
