#pragma once

namespace vitrine {

struct Focus;
struct Result;

/// On entering a step, selects the head that shows the step best in this run; some steps keep the current choice.
void look_on_entering(int step, const Result& now, Focus& focus);

}  // namespace vitrine
