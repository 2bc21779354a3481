#pragma once

#include <functional>
#include <span>
#include <string>

namespace vitrine {

struct Config;
struct Equations;
struct Focus;
struct Intervention;

/// The key of the chapter's sentence in a run with these what-ifs: "sentence_<change>" where one of them makes the
/// usual sentence untrue.
std::string key_of_sentence(const Config& config, std::span<const Intervention> what_ifs, const Focus& focus);

/// True if that holds for the equations of every block.
bool is_everywhere(const Config& config, std::span<const Intervention> what_ifs,
                   const std::function<bool(const Equations&)>& holds);

}  // namespace vitrine
