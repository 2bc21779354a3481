#pragma once

#include <string>

namespace vitrine {

/// The processor's name as the system tells it, "unknown" where it does not.
std::string processor_name();

/// The widest vector instructions that the loops are compiled for.
const char* vector_instructions();

/// How many there are for this process.
int processor_count();

}  // namespace vitrine
