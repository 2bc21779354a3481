#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vitrine {

/// What decides how fast this program is here: processor, processors, vectors, products.
nlohmann::ordered_json machine_facts();

/// The same in a line.
std::string machine_line();

}  // namespace vitrine
