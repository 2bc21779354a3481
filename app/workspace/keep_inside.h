#pragma once

namespace vitrine {

class Selection;
struct Result;

/// Keeps what is looked at inside the run that is shown; a pinned number that it has not is let go.
void keep_inside(Selection& selection, const Result& now);

}  // namespace vitrine
