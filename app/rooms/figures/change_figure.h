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

/// Whether the model is as sure of its class as it was: a what-if that changes next to nothing of the answer.
bool is_still_sure(const AnswerChange& change);

/// Whether a figure of the change stands right below the class's bar, which tells the probability.
enum class Told { all, beside_its_bar };

struct ChangeFigure {
    std::string id;
    const Result& now;
    Told told = Told::all;
};

/// The same as figures in letters as large as the probability's, under the class's name, grey where they are next to
/// nothing: as many beside one another as have room, alone with before → after. Hovered, it tells all. Returns its
/// height, which the width decides.
float change_figure(Canvas& canvas, const Ui& ui, Rect rect, const ChangeFigure& figure);
/// That height, px, whatever the change.
float change_height(const Canvas& canvas, const Ui& ui, float width, Told told);

}  // namespace vitrine
