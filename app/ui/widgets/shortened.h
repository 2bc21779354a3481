#pragma once

#include <functional>
#include <string>

namespace vitrine {

/// The words if they fit, else as many letters from their beginning as fit together with "…".
std::string shortened(const std::string& words, const std::function<bool(const std::string&)>& fits);

}  // namespace vitrine
