#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/transformer/intervention.h"

// All kinds of edits: what each does forward and backward, how it changes the equations, and its description. Runs use
// `Editor` and `equations_of`.

namespace vitrine {

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

/// A site's tensor as groups of rows: sequences, or heads of sequences.
struct RowGroups {
    std::vector<std::size_t> rows;  // of each group
    std::size_t columns = 0, heads = 1;
};

/// A site's numbers, or their gradient, as an edit gets them.
struct EditedNumbers {
    Site site;
    float* data;
    std::size_t size;
    const RowGroups& groups;
    const Where& where;           // the part that the edit names
    std::uint64_t random_stream;  // makes random draws here differ from other sites' and blocks'
    bool repeated;                // whether an edit of the same kind has already acted on all of them
};

/// A second tensor that some edits read, such as the queries for K = Q (see Editor), or its gradient.
template <class Number>
struct LookedAt {
    Number* data = nullptr;
    std::size_t size = 0, columns = 0;
};

/// Whether earlier edits in the list still have an effect after this one.
enum class Earlier { counts, overwritten };

void apply(const Intervention& intervention, const EditedNumbers& numbers, const LookedAt<const float>& source);

/// Turns the gradient of the edited tensor into that of the tensor before the edit; parts that were copied are added to
/// the gradient `source`.
Earlier pull_back(const Intervention& intervention, const EditedNumbers& gradient, const LookedAt<float>& source);

/// Applies the intervention to the equations of a place that it covers.
void change(Equations& equations, const Intervention& intervention);

/// Whether each row's result depends on that row alone, so that a decoder that generates text may cache earlier rows.
bool acts_by_row(const Intervention& intervention);

/// A description for logs and tests: "scores of block 2, head 1: times 0.5".
std::string describe(const Intervention& intervention);

}  // namespace vitrine
