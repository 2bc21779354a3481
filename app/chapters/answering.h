#pragma once

#include <string_view>
#include <vector>

#include "core/transformer/intervention.h"

namespace vitrine {

struct Result;
class Selection;

/// The changes that the question of a chapter, by its id, asks for, where its answer has the numbers of the changed
/// run: a class sees that answer without anyone making them. Empty: it needs none.
std::vector<Intervention> changes_asked(std::string_view step, const Result& now, const Selection& selection);

// Those of each such chapter.
std::vector<Intervention> asked_of_position_embedding(const Result& now, const Selection& selection);
std::vector<Intervention> asked_of_norm_place(const Result& now, const Selection& selection);
std::vector<Intervention> asked_of_prediction(const Result& now, const Selection& selection);
std::vector<Intervention> asked_of_explanation(const Result& now, const Selection& selection);

}  // namespace vitrine
