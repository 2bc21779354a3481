#pragma once

#include <vector>

#include "app/rooms/figures/difference.h"
#include "core/tensor/tensor.h"

// The numbers that each instrument compares in two runs side by side.

namespace vitrine {

struct Focus;
struct Measured;
struct Result;
struct Scene;
class Selection;
struct Ui;

/// One of the two runs, with its measurements and its focus.
struct LabRun {
    const Result& now;
    const Measured& measured;
    const Focus& focus;
};

/// Both runs. The scene's run is A, the scene's `other` is B.
struct LabPair {
    const Ui& ui;
    const Scene& scene;
    LabRun a, b;
    Selection& selection;  // of the half that commands act on
    bool running;          // measuring is in progress
};

using Numbers = std::vector<float>;

/// All numbers of a matrix, row by row.
Numbers all_numbers(const Tensor2& of);
Numbers row_numbers(const Tensor2& of, int row);
const Config& config_in(const LabRun& run);

/// `what` with the numbers that `read` takes from each run.
template <class Read>
ComparedNumbers both_runs(const LabPair& pair, ComparedNumbers what, const Read& read) {
    what.a = read(pair.a);
    what.b = read(pair.b);
    return what;
}

/// Adds numbers of tokens or patches if both runs have the same tokens and `fits`; else adds the reason.
void add_tokens(const LabPair& pair, Comparison& all, const ComparedNumbers& what, bool fits = true);

/// A comparison without parts, for figures that have no difference of two runs. `why` is the key of the reason's text.
Comparison no_comparison(const LabPair& pair, const char* why);

/// Weights of the chosen head, and a statistic of all heads.
Comparison compare_gallery(const LabPair& pair);
/// Weights of the first two picked heads, or of all picked heads combined.
Comparison compare_picks(const LabPair& pair);
/// The chosen statistic of every head.
Comparison compare_statistics(const LabPair& pair);
/// The chosen token's row of the rollout, or of the relevance.
Comparison compare_depth(const LabPair& pair);
/// Similarities or lengths of the tokens; colours and filters have no difference.
Comparison compare_token_figures(const LabPair& pair);
/// The probability of A's class after each level, and from every token at the chosen level.
Comparison compare_lens(const LabPair& pair);
/// Contributions to the logit of A's class: of each head, and of each block.
Comparison compare_ledgers(const LabPair& pair);
/// The effect of covering each patch.
Comparison compare_occlusion(const LabPair& pair);
/// The importance of parts, or the areas under the curves; patching itself compares both runs.
Comparison compare_causes(const LabPair& pair);
/// The cosine of each text, and of each patch with the chosen one.
Comparison compare_words(const LabPair& pair);

}  // namespace vitrine
