#include "core/transformer/editor.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <type_traits>

#include "core/transformer/edited_rows.h"
#include "core/transformer/edits.h"

namespace vitrine {

namespace {

std::size_t numbers_in(const std::vector<std::size_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// A site's tensor as groups of rows.
RowGroups groups_of(Site site, const std::vector<std::size_t>& shape, Batch batch) {
    const bool flat = shape.size() == 2, shared = site_row(site).shared;
    const std::size_t sequences = shared ? 1 : static_cast<std::size_t>(batch.sequences);
    RowGroups groups;
    groups.columns = shape.back();
    if (flat && !shared && batch.packed()) {
        groups.rows.assign(batch.lengths.begin(), batch.lengths.end());
    } else {
        const std::size_t rows = flat ? shape[0] / sequences : shape[1];
        groups.rows.assign(numbers_in(shape) / (rows * groups.columns), rows);
    }
    groups.heads = site_row(site).heads ? groups.rows.size() / sequences : 1;
    return groups;
}

template <class Shaped>
auto second_tensor(const Shaped& source) {
    using Number = std::remove_pointer_t<decltype(source.data)>;
    if (source.data == nullptr) return SecondTensor<Number>{};
    return SecondTensor<Number>{source.data, numbers_in(source.shape), source.shape.back()};
}

}  // namespace

bool Editor::meets(const Where& where, int block) const {
    return where.block.value_or(block) == block && where.stack.value_or(stack_) == stack_ &&
           where.attention.value_or(attention_) == attention_;
}

bool Editor::acts(Site site, int block) const {
    return std::any_of(interventions_.begin(), interventions_.end(),
                       [&](const Intervention& i) { return i.site == site && meets(i.where, block); });
}

/// True if an earlier edit of the same kind in the list already acts on the whole site.
bool Editor::is_repeated(const Intervention& one, int block) const {
    for (const Intervention& i : interventions_) {
        if (&i == &one) break;
        if (i.site == one.site && i.edit.index() == one.edit.index() && !i.where.head && !i.where.names_tokens() &&
            !i.where.unit && meets(i.where, block))
            return true;
    }
    return false;
}

std::uint64_t Editor::random_stream(Site site, int block) const {
    const auto which = static_cast<std::uint64_t>(stack_) * 2 + static_cast<std::uint64_t>(attention_);
    return (which << 32) + static_cast<std::uint64_t>(block) * 64 + site_row(site).drop_seed;
}

void Editor::apply_all(Site site, int block, const Shaped<float>& target, const Shaped<const float>& source) const {
    if (!acts(site, block)) return;
    const RowGroups groups = groups_of(site, target.shape, batch_);
    const std::size_t size = numbers_in(target.shape);
    for (const Intervention& i : interventions_)
        if (i.site == site && meets(i.where, block))
            apply(i, {site, target.data, size, groups, i.where, random_stream(site, block), is_repeated(i, block)},
                  second_tensor(source));
}

void Editor::pull_all_back(Site site, int block, const Shaped<float>& gradient, const Shaped<float>& source) const {
    if (!acts(site, block)) return;
    const RowGroups groups = groups_of(site, gradient.shape, batch_);
    const std::size_t size = numbers_in(gradient.shape);
    for (auto i = interventions_.rbegin(); i != interventions_.rend(); ++i) {
        if (i->site != site || !meets(i->where, block)) continue;
        const EditedNumbers numbers{
            site, gradient.data, size, groups, i->where, random_stream(site, block), is_repeated(*i, block)};
        if (pull_back(*i, numbers, second_tensor(source)) == Earlier::overwritten) return;
    }
}

}  // namespace vitrine
