#pragma once

#include "core/base/names.h"

namespace vitrine {

/// The values over which an attention map's colour range is taken; `fixed`: the user's own.
enum class Scope { head, block, model, fixed };
inline constexpr Named<Scope> scope_names[] = {
    {Scope::head, "head"}, {Scope::block, "block"}, {Scope::model, "model"}, {Scope::fixed, "fixed"}};

/// How a value's place in the range maps to a place on the colour map.
enum class Curve { linear, root, logarithm };
inline constexpr Named<Curve> curve_names[] = {
    {Curve::linear, "linear"}, {Curve::root, "root"}, {Curve::logarithm, "logarithm"}};

}  // namespace vitrine
