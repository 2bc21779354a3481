#pragma once

namespace vitrine {

struct Focus;
struct Result;

/// On entering a step, selects the head and the query that show the step best in this run; some steps keep the current
/// choice.
void look_on_entering(int step, const Result& now, Focus& focus);

}  // namespace vitrine
