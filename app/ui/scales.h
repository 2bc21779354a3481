#pragma once

#include <algorithm>
#include <span>

#include "core/base/names.h"

namespace vitrine {

/// The values that determine the colour range of an attention map; `fixed`: a range set by the user; `automatic`: none
/// was chosen.
enum class Scope { head, block, model, fixed, automatic };
inline constexpr Named<Scope> scope_names[] = {{Scope::head, "head"},
                                               {Scope::block, "block"},
                                               {Scope::model, "model"},
                                               {Scope::fixed, "fixed"},
                                               {Scope::automatic, "automatic"}};
inline constexpr std::span<const Named<Scope>> offered_scopes{scope_names, 4};  // those that the user can choose

/// The range of a chapter's maps. Until one is chosen, each map has its own, so that even a weak head is legible.
constexpr Scope range_in_chapter(Scope chosen) { return chosen == Scope::automatic ? Scope::head : chosen; }
/// The range of the laboratory's maps. Until one is chosen, the heads of a block share one, so that they can be
/// compared.
constexpr Scope range_in_laboratory(Scope chosen) { return chosen == Scope::automatic ? Scope::block : chosen; }

/// The offered scope after the shown one, cyclically; the shown one if none is offered.
inline Scope next_scope(std::span<const Named<Scope>> offered, Scope shown) {
    if (offered.empty()) return shown;
    const auto now = std::ranges::find(offered, shown, &Named<Scope>::value);
    return now == offered.end() || now + 1 == offered.end() ? offered.front().value : (now + 1)->value;
}

/// How a value's place in the range maps to a place on the colour map.
enum class Curve { linear, root, logarithm };
inline constexpr Named<Curve> curve_names[] = {
    {Curve::linear, "linear"}, {Curve::root, "root"}, {Curve::logarithm, "logarithm"}};

}  // namespace vitrine
