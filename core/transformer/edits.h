#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/transformer/intervention.h"

// The visit of all kinds of edits: what each does forth and back, what it makes of the equations, and how it is said.
// Runs go through `Editor` and `equations_of`.

namespace vitrine {

struct Equations;

/// What has to be known of a site.
struct SiteRow {
    Site site;
    const char* name;
    bool heads;               // whether its tensor has one part for each head
    bool shared;              // whether it is one for all sequences
    std::uint64_t drop_seed;  // sets its dropout apart from that of other sites, below 64
};
const SiteRow& site_row(Site site);

/// The tensor of a site seen as groups of rows: the groups are sequences, or heads of sequences.
struct RowGroups {
    std::vector<std::size_t> rows;  // of each group
    std::size_t columns = 0, heads = 1;
};

/// A site's numbers, or their gradient, as they are handed to an edit.
struct EditedNumbers {
    Site site;
    float* data;
    std::size_t size;
    const RowGroups& groups;
    const Where& where;           // the part of them that the edit names
    std::uint64_t random_stream;  // sets what is drawn here apart from other sites and blocks
    bool repeated;                // whether an edit of the same kind has acted on all of them before
};

/// What some edits look at (see Editor), or its gradient.
template <class Number>
struct LookedAt {
    Number* data = nullptr;
    std::size_t size = 0, columns = 0;
};

/// Whether the edits before one in the list still count after it.
enum class Earlier { counts, overwritten };

void apply(const Intervention& intervention, const EditedNumbers& numbers, const LookedAt<const float>& source);

/// From the gradient of what came out to that of what went in; `source` grows by what was copied from there.
Earlier pull_back(const Intervention& intervention, const EditedNumbers& gradient, const LookedAt<float>& source);

/// What it makes of the equations of a place that it covers.
void change(Equations& equations, const Intervention& intervention);

/// Whether what a row becomes depends on that row alone, so that a decoder that writes may keep the rows before it.
bool acts_by_row(const Intervention& intervention);

/// In plain words, for logs and tests: "scores of block 2, head 1: times 0.5".
std::string describe(const Intervention& intervention);

}  // namespace vitrine
