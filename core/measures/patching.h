#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/base/progress.h"
#include "core/measures/options.h"
#include "core/tensor/tensor.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Whether a site is patched by head; otherwise it is patched by token.
constexpr bool is_by_head(PatchSite site) { return site == PatchSite::head; }

/// Two finished runs of one model: activations of run A (`from`) are patched into run B (`into`), one place at a time.
struct PatchingOf {
    const Model& model;
    const Trace& from;
    const Trace& into;
    std::span<const Intervention> what_ifs = {};  // of run B
    PatchSite site = PatchSite::stream;
};

/// The intervention that patches activations of `from` into a site of block ℓ: of the token `part` (for
/// PatchSite::head, the head `part`), or of all of them.
Intervention patch_of(const Trace& from, PatchSite site, int block, std::optional<int> part = {});

/// The quantity that activation patching compares: m = the logit of A's first choice less that of B's, or of B's second
/// choice where the first choices agree.
struct PatchedLogits {
    int chosen = 0, other = 0;    // classes
    double clean = 0, plain = 0;  // m in run A and in run B

    double in(const HeadTrace& head) const;
    /// False if |m(A) − m(B)| < 0.01, since then patching has nothing to restore.
    bool differ() const;
};
/// The logits to compare, for a model with two classes or more.
PatchedLogits logits_to_patch(const Trace& from, const Trace& into);
/// The same, checked: throws Error if they do not differ, or if the model has fewer than two classes.
PatchedLogits patched_logits(const Model& model, const Trace& from, const Trace& into);

/// The share of A's answer that patching restores.
struct PatchingMap {
    PatchedLogits logits;
    Tensor2 returned;         // (L, N), or (L, h) of heads: (m(patched) − m(B)) / (m(A) − m(B))
    int done = 0, total = 0;  // cells, block by block from the first
};

/// Activation patching (Meng et al. 2022; Zhang & Nanda 2024). A cell is one run of B from its block on. `on_change`
/// receives the map after every few cells. Throws Error as `patched_logits` does.
PatchingMap patching(const PatchingOf& of, const std::function<void(const PatchingMap&)>& on_change = {},
                     const Progress& progress = {});

}  // namespace vitrine
