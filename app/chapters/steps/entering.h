#pragma once

namespace vitrine {

struct Focus;
struct Result;

/// On entering a step, selects the head, the query or the key that shows the step best in this run; most steps keep the
/// current choice.
void look_on_entering(int step, const Result& now, Focus& focus);

}  // namespace vitrine
