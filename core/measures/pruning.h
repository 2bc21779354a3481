#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/importance.h"
#include "core/tensor/tensor.h"

namespace vitrine {

struct Table;

/// A head: its block ℓ = 1 … L, and its number in the block, 0 … h − 1.
struct HeadPlace {
    int block = 1, head = 0;

    bool operator==(const HeadPlace&) const = default;
};

/// The heads in ascending order of importance, ties block by block: the order in which they are pruned (Michel et al.
/// 2019).      (L, h)  ->  (L·h)
std::vector<HeadPlace> least_important_first(const Tensor2& importance);

/// A run's first choices when the first n heads of `order` are zeroed, n = 0 … their number. Each run starts from the
/// previous one at the removed head's block.      ->  (heads + 1)
std::vector<int> choices_without(const ImportanceOf& of, std::span<const HeadPlace> order,
                                 const Progress& progress = {});

/// Answers of many images as heads are removed.
struct PruningCurve {
    int images = 0, labelled = 0;  // of these, images whose class is known
    std::vector<int> same,
        correct;  // by number of removed heads, counts of answers equal to the whole model's; to the class

    /// Adds an image's choices, and its class if it is known.
    void add(std::span<const int> choices, std::optional<int> label);
    /// Share of correct answers; if no class is known, of answers equal to the whole model's.      ->  (heads + 1)
    std::vector<float> shares() const;
};

/// The shares of a curve as the measure `pruning`; each label is the head removed last, "none" at first.
Table pruning_table(const PruningCurve& curve, std::span<const HeadPlace> order);

}  // namespace vitrine
