#pragma once

#include <span>

#include "core/base/progress.h"
#include "core/measures/options.h"
#include "core/measures/patching.h"
#include "core/text/decoding.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// Two finished runs of one text model, each on one text: activations of run A (`from`) are patched into run B
/// (`into`), one place at a time.
struct TextPatchingOf {
    const TextModel& model;
    const TextTrace& from;
    const TextTrace& into;
    std::span<const Intervention> what_ifs = {};  // of run B
    PatchSite site = PatchSite::stream;
};

/// The trace to patch. For a language model, a run of the prompt alone, as its answer is predicted at the last word.
TextTrace text_to_patch(const TextModel& model, const TextRun& run);

/// The share of A's answer that is recovered.
struct TextPatchingMap {
    Stack stack = Stack::encoder;  // the patched stack: the encoder, or the decoder of a model without one
    int row = 0;                   // the first output row in which the answers differ; 0 for a classifier
    PatchedLogits logits;          // of the two answers in that row: words, or classes
    Tensor2 returned;              // (L, N), or (L, h) of heads: (m(patched) − m(B)) / (m(A) − m(B))
};

/// Activation patching (Meng et al. 2022; Zhang & Nanda 2024) from a text into another with as many words. m is the
/// logit of A's answer less that of B's, in the first row of the output where they differ; up to there both have read
/// the same words. Throws Error if the texts differ in their numbers of words, or if the answers hardly differ.
TextPatchingMap text_patching(const TextPatchingOf& of, const Progress& progress = {});

}  // namespace vitrine
