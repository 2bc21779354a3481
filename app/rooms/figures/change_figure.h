#pragma once

#include <optional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/widgets/canvas.h"
#include "core/measures/answer_change.h"

// How the window tells what a what-if does to the answer, the same everywhere.

namespace vitrine {

struct Result;

/// What the what-ifs of a run do to the class that was first; none without them, or without classes.
std::optional<AnswerChange> change_of(const Result& now);

/// "probability −0.3 pp, logit −1.52, margin −2.03, loss +0.00310"
std::string change_words(const Ui& ui, const AnswerChange& change);

/// The same as figures under the class's name, grey where they are next to nothing: four beside one another where there
/// is room, else two and two. Hovered, it tells each before and after. Returns its height, which the width decides.
float change_figure(Canvas& canvas, const Ui& ui, Rect rect, const Result& now, const std::string& id);

}  // namespace vitrine
