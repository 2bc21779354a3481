#pragma once

// The numbers that each instrument compares in two runs side by side.

namespace vitrine {

struct Comparison;
struct Focus;
struct Measured;
struct Result;
struct Scene;
class Selection;
struct Ui;

/// One of the two runs, its measurements, and what is looked at in it.
struct LabRun {
    const Result& now;
    const Measured& measured;
    const Focus& focus;
};

/// Both runs. The scene's run is A, its other one B.
struct LabPair {
    const Ui& ui;
    const Scene& scene;
    LabRun a, b;
    Selection& selection;  // of the half that commands act on
    bool running;          // measuring is in progress
};

/// Weights of the chosen head, and a statistic of all heads.
Comparison compare_gallery(const LabPair& pair);
/// Weights of the first two picked heads, or of all of them together.
Comparison compare_picks(const LabPair& pair);
/// The chosen statistic of every head.
Comparison compare_statistics(const LabPair& pair);
/// The chosen token's row of the rollout, or of the relevance.
Comparison compare_depth(const LabPair& pair);
/// Similarities or lengths of the tokens; colours and filters have no difference.
Comparison compare_token_figures(const LabPair& pair);
/// The probability of A's class by level, and from every token.
Comparison compare_lens(const LabPair& pair);
/// Contributions to the logit of A's class: of each head, and of each block.
Comparison compare_ledgers(const LabPair& pair);
/// The effect of each cover.
Comparison compare_occlusion(const LabPair& pair);
/// The importance of parts, or the areas under the curves; patching itself compares both runs.
Comparison compare_causes(const LabPair& pair);
/// The cosine of each text, and of each patch with the chosen one.
Comparison compare_words(const LabPair& pair);

}  // namespace vitrine
