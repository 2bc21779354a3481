#pragma once

#include <string>

namespace vitrine {

struct Focus;
struct Result;

/// The key of the chapter's sentence for the computed run: "sentence_<change>" where a what-if makes the usual one
/// untrue.
std::string key_of_sentence(const Result& now, const Focus& focus);

}  // namespace vitrine
