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

/// Two finished runs of one text model, of one text each: numbers of run A (`from`) are put into run B (`into`), one
/// place at a time.
struct TextPatchingOf {
    const TextModel& model;
    const TextTrace& from;
    const TextTrace& into;
    std::span<const Intervention> what_ifs = {};  // of run B
    PatchSite site = PatchSite::stream;
};

/// The trace that patching reads: for a language model that of the text alone, since its last word answers.
TextTrace text_to_patch(const TextModel& model, const TextRun& run);

/// The share of A's answer that is recovered.
struct TextPatchingMap {
    Stack stack = Stack::encoder;  // whose numbers are put in: the encoder's, or the decoder's if it is alone
    int row = 0;                   // of the output: the first where the answers differ; 0 for a classifier
    PatchedLogits logits;          // of both answers there: words, or classes
    Tensor2 returned;              // (L, N), or (L, h) of heads: (m(patched) − m(B)) / (m(A) − m(B))
};

/// Activation patching (Meng et al. 2022; Zhang & Nanda 2024) from a text into another with as many words. m is the
/// logit of A's answer less that of B's, in the first row of the output where they differ; before it both have read the
/// same. Throws Error if the texts differ in their numbers of words, or if the answers hardly differ.
TextPatchingMap text_patching(const TextPatchingOf& of, const Progress& progress = {});

}  // namespace vitrine
