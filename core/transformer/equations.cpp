#include "core/transformer/equations.h"

#include <algorithm>

#include "core/transformer/edits.h"

namespace vitrine {

namespace {

/// True if an intervention at `where` covers all of a place.
bool covers(const Where& where, const Where& place) {
    const auto all_of = [](const std::optional<int>& own, const std::optional<int>& at) { return !own || own == at; };
    const Stack stack = place.stack.value_or(Stack::encoder);
    const Attention attention = place.attention.value_or(Attention::self);
    const bool named = where.tokens.empty() || (place.token && std::ranges::binary_search(where.tokens, *place.token));
    return named && !where.unit && all_of(where.block, place.block) && all_of(where.head, place.head) &&
           all_of(where.token, place.token) && where.stack.value_or(stack) == stack &&
           where.attention.value_or(attention) == attention;
}

}  // namespace

Equations equations_of(const TransformerConfig& config, std::span<const Intervention> interventions,
                       const Where& place) {
    Equations equations;
    equations.norm = config.norm;
    equations.skip.factor = config.skips ? 1.0 : 0.0;
    equations.activation = config.activation;
    for (const Intervention& i : interventions)
        if (covers(i.where, place)) change(equations, i);
    equations.skip.normed = equations.skip.normed && equations.norm == Norm::before;
    return equations;
}

}  // namespace vitrine
