#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vitrine {

/// The machine's properties that affect speed: processor, number of processors, vector unit, products.
nlohmann::ordered_json machine_facts();

/// The same on one line.
std::string machine_line();

}  // namespace vitrine
