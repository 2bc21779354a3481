#pragma once

#include <optional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/widgets/canvas.h"
#include "core/measures/answer_change.h"

// Display of a what-if's effect on the answer, the same in all places.

namespace vitrine {

struct Result;
struct Ui;

/// Effect of a run's what-ifs on the class that is most probable without them; none without what-ifs or classes.
std::optional<AnswerChange> change_of(const Result& now);

/// "probability −0.3 pp, logit −1.52, margin −2.03, loss +0.00310"; "p" for probability with "change.short".
std::string change_words(const Ui& ui, const AnswerChange& change, const char* key = "change.words");

/// Explains a margin and, if it moves the other way than logit or probability, how that can be.
std::string margin_words(const Ui& ui, const AnswerChange& change);

/// True if margin and probability change visibly, in opposite directions.
bool margin_against_probability(const AnswerChange& change);

/// True if the model is about as sure of its class as before: the what-if hardly changes the answer.
bool is_still_sure(const AnswerChange& change);

/// Numbers in the figure: all, or all but the probability, which the class's bar above it shows.
enum class ChangeParts { all, beside_its_bar };

struct ChangeFigure {
    std::string id;
    const Result& now;
    ChangeParts shown = ChangeParts::all;
};

/// Draws the change in large figures below the class's name, grey if negligible: as many side by side as fit; a single
/// one as before → after. A tooltip shows all. Returns the height, which depends on the width.
float change_figure(Canvas& canvas, const Ui& ui, Rect rect, const ChangeFigure& figure);
/// The height of `change_figure` in px, the same for any change.
float change_height(const Canvas& canvas, const Ui& ui, float width, ChangeParts shown);

}  // namespace vitrine
