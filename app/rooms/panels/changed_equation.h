#pragma once

#include <string>

#include "app/chapters/step.h"

namespace vitrine {

/// The what-ifs of a run that a chapter's typeset equation does not show, by their names on the screen; empty if it
/// shows them all. `block` is the chosen one, from 1.
std::string changes_of_equation(const Ui& ui, const Step& step, const Result& now, int block);

/// "In this run: K = Q", or empty.
std::string words_of_changed_equation(const Ui& ui, const Step& step, const Result& now, int block);

}  // namespace vitrine
