#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/workspace/result.h"
#include "core/transformer/equations.h"
#include "core/vit/provenance.h"

namespace vitrine {

/// A result as provenance reads it.
Record record_of(const Result& now);

/// A number written out with its real values, one line each, markup as in rich_text.h: what it is, how it is computed
/// ("softmax: e^{3.10} / Σ = 0.27"), and where a what-if makes the run differ from that. Empty where the model has no
/// such cell.
std::vector<std::string> computation(const Ui& ui, const Result& now, const Cell& cell);

/// What a run divides q·k by: "√16", "(√16 · 2)" or "2" with a temperature; empty where nothing divides. `length`
/// stands for the head's d.
std::string divisor_words(const ScoreRule& rule, const std::string& length);
/// "q · k / √d" as the run has it.
std::string score_words(const ScoreRule& rule);

/// What lecturers call an activation: "GELU". It is the same in every language.
std::string activation_words(Activation activation);
std::string activation_words(const Result& now, int block);

/// "block.3.attention[2, 13, 4]".
std::string cell_name(const Ui& ui, const Result& now, const Cell& cell);

}  // namespace vitrine
