#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// "A · L = 4, D = 64 · pre-norm · Muon 0.0100", what sets a run apart; short without its size.
enum class RunName { full, brief };
std::string run_name(const Ui& ui, const Recipe& recipe, int run, RunName how = RunName::full);

/// "B · no skips": what sets a run apart from the other one; its name where nothing short does.
std::string apart_name(const Ui& ui, const RunViews<Pictures>& runs, int run);

}  // namespace vitrine
