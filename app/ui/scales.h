#pragma once

#include <algorithm>
#include <span>

#include "core/base/names.h"

namespace vitrine {

/// The values over which an attention map's colour range is taken; `fixed`: the user's own.
enum class Scope { head, block, model, fixed };
inline constexpr Named<Scope> scope_names[] = {
    {Scope::head, "head"}, {Scope::block, "block"}, {Scope::model, "model"}, {Scope::fixed, "fixed"}};

/// The range after the shown one, and the first again after the last; nothing offered changes nothing.
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
