#pragma once

#include "app/chapters/step.h"

namespace vitrine {

struct Result;
class Selection;

/// The changes that the question of the shown chapter asks for, where its answer has the numbers of the changed run: a
/// class sees that answer without anyone making them. Empty: it needs none.
WhatIfs changes_asked(const Result& now, const Selection& selection);

// Those of each such chapter.
WhatIfs asked_of_position_embedding(const Result& now, const Selection& selection);
WhatIfs asked_of_norm_place(const Result& now, const Selection& selection);
WhatIfs asked_of_prediction(const Result& now, const Selection& selection);
WhatIfs asked_of_explanation(const Result& now, const Selection& selection);

}  // namespace vitrine
