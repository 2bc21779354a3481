#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vitrine {

/// The machine's properties that affect speed: processor, number of processors, vector unit, products; and the formats
/// of pictures that can be read, with the packages that others need.
nlohmann::ordered_json machine_facts();

/// The properties that affect speed, on one line.
std::string machine_line();

/// The formats of pictures that can be read here, and the packages that others need.
std::string pictures_line();

}  // namespace vitrine
