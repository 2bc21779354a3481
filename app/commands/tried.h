#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vitrine {

/// Runs `work` for one of many things and returns its error as a sentence, "" on success. Errors that are not ours (not
/// `Error`) are preceded by `name`.
std::string tried(const std::string& name, const std::function<void()>& work);

/// Throws one sentence with all failures, and how many were carried out: of `count` "images were written".
[[noreturn]] void fail(const std::vector<std::string>& failures, std::size_t count, const char* things);

}  // namespace vitrine
