#pragma once

#include <functional>
#include <string>

namespace vitrine {

/// The words, or as many of their letters with "…" as fit.
std::string shortened(const std::string& words, const std::function<bool(const std::string&)>& fits);

}  // namespace vitrine
