#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/workspace/result.h"
#include "core/transformer/block_equations.h"
#include "core/vit/provenance.h"

namespace vitrine {

/// A result as a record, whose numbers provenance can trace (`derive`).
Record record_of(const Result& now);

/// A number written out with its actual values, in lines with markup as in rich_text.h: its name, its computation
/// ("softmax: e^{3.10} / Σ = 0.27"), and how a what-if changes it. Empty if the model has no such cell.
std::vector<std::string> computation(const Ui& ui, const Result& now, const Cell& cell);

/// A run's divisor of q·k: "√16", "(√16 · 2)" or "2" with a temperature; empty if there is none. `length` is the text
/// for the head's d.
std::string divisor_words(const ScoreRule& rule, const std::string& length);
/// "q · k / √d", with the run's divisor.
std::string score_words(const ScoreRule& rule);

/// Name of an activation, the same in all languages: "GELU".
std::string activation_words(Activation activation);
std::string activation_words(const Result& now, int block);

/// "block.3.attention[2, 13, 4]".
std::string cell_name(const Ui& ui, const Result& now, const Cell& cell);

}  // namespace vitrine
