#pragma once

namespace vitrine {

struct Focus;
struct Result;

/// Where a step that is entered looks first, if it does not stay with what was chosen: at the head that shows it best
/// in this run.
void look_on_entering(int step, const Result& now, Focus& focus);

}  // namespace vitrine
