#pragma once

#include <span>
#include <string>

namespace vitrine {

struct Config;
struct Focus;
struct Intervention;

/// The key of the chapter's sentence in a run with these what-ifs: "sentence_<change>" where one of them makes the
/// usual sentence untrue.
std::string key_of_sentence(const Config& config, std::span<const Intervention> what_ifs, const Focus& focus);

}  // namespace vitrine
