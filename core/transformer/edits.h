#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/transformer/intervention.h"

// All kinds of edits: the effect of each in the forward and backward pass and on the equations, and its description.
// Runs use `Editor` and `equations_of`.

namespace vitrine {

struct EditedNumbers;
struct Equations;

/// Facts about a site.
struct SiteRow {
    Site site;
    const char* name;
    bool heads;               // whether its tensor has a part for each head
    bool shared;              // whether all sequences share it
    std::uint64_t drop_seed;  // makes its dropout differ from other sites'; below 64
};
const SiteRow& site_row(Site site);

/// A second tensor that some edits read, such as the queries for K = Q (see Editor), or its gradient.
template <class Number>
struct SecondTensor {
    Number* data = nullptr;
    std::size_t size = 0, columns = 0;
};

/// Whether earlier edits in the list still have an effect after this one.
enum class Earlier { counts, overwritten };

/// Edits the numbers in place.
void apply(const Intervention& intervention, const EditedNumbers& numbers, const SecondTensor<const float>& source);

/// Turns the gradient after the edit into the gradient before it; adds the gradients of copied parts to `source`.
Earlier pull_back(const Intervention& intervention, const EditedNumbers& gradient, const SecondTensor<float>& source);

/// Changes the equations of a place that the intervention covers.
void change(Equations& equations, const Intervention& intervention);

/// Whether each row's result depends on that row alone, so that a decoder that generates text may cache earlier rows.
bool acts_by_row(const Intervention& intervention);

/// True if several such edits of one part act together, so that a new one does not replace the old.
bool adds_up(const Edit& edit);

/// True if it names tokens or depends on their grid, so that its meaning depends on the image size.
bool names_tokens(const Intervention& intervention);

/// The mean over a set of images that an edit needs: the set's folder ("": the drawn pictures), and the numbers, which
/// the caller fills in before a run.
struct NeededMean {
    const std::string& folder;
    std::shared_ptr<const std::vector<float>>& numbers;
};
/// None if the edit needs none.
std::optional<NeededMean> needed_mean(Edit& edit);

/// A description for logs and tests: "scores of block 2, head 1: times 0.5".
std::string describe(const Intervention& intervention);

}  // namespace vitrine
