#pragma once

#include <string_view>
#include <vector>

#include "app/workspace/command.h"

namespace vitrine {

struct Focus;
struct Intervention;
struct Result;

/// The chapter that shows a change's part: the open one if it does, by its id.
std::string_view chapter_of_change(const Intervention& change, const Result& now, const Focus& focus);
/// Leads to that chapter, with the changed block, head, token and unit chosen.
std::vector<Command> way_to_change(const Intervention& change, const Result& now, const Focus& focus);

}  // namespace vitrine
