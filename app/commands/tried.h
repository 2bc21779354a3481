#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vitrine {

/// Carries out the work for one of many things; returns in a sentence what went wrong, "" if nothing did. `name`
/// precedes what is no sentence of ours.
std::string tried(const std::string& name, const std::function<void()>& work);

/// Throws one sentence with all failures, and how many were carried out: of `count` "images were written".
[[noreturn]] void fail(const std::vector<std::string>& failures, std::size_t count, const char* things);

}  // namespace vitrine
