#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vitrine {

/// Runs `work` for one of several items; returns its error as a sentence, "" on success. The sentence of an exception
/// other than `Error` begins with the item's `name`.
std::string tried(const std::string& name, const std::function<void()>& work);

/// Throws one Error with all failures and, if any item succeeded, their number: "2 of 3 images were written".
[[noreturn]] void fail(const std::vector<std::string>& failures, std::size_t count, const char* things);

}  // namespace vitrine
