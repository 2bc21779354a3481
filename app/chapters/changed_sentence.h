#pragma once

#include <functional>
#include <span>
#include <string>

namespace vitrine {

struct Config;
struct Equations;
struct Focus;
struct Intervention;

/// The key of the current chapter's sentence in a run with these what-ifs: "step.<id>.sentence_<change>" where one of
/// them makes the usual sentence untrue, else the usual key.
std::string key_of_sentence(const Config& config, std::span<const Intervention> what_ifs, const Focus& focus);

/// True if `holds` returns true for the equations of every block.
bool is_everywhere(const Config& config, std::span<const Intervention> what_ifs,
                   const std::function<bool(const Equations&)>& holds);

}  // namespace vitrine
