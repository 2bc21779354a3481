#pragma once

#include <string_view>
#include <vector>

#include "app/workspace/command.h"

namespace vitrine {

struct Focus;
struct Intervention;
struct Result;

/// Id of the chapter that shows a change: the open chapter if possible, else the chapter about the changed part.
std::string_view chapter_of_change(const Intervention& change, const Result& now, const Focus& focus);
/// Commands that open that chapter and choose the changed block, head, token and unit.
std::vector<Command> way_to_change(const Intervention& change, const Result& now, const Focus& focus);

}  // namespace vitrine
