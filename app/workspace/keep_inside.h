#pragma once

namespace vitrine {

class Selection;
struct Result;

/// Clamps the focus to the shown run; clears a pinned number that the run does not have.
void keep_inside(Selection& selection, const Result& now);

}  // namespace vitrine
