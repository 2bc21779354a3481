#pragma once

#include "core/base/names.h"

namespace vitrine {

/// Over what the range of an attention map's colours is taken; `fixed`: what the user says.
enum class Scope { head, block, model, fixed };
inline constexpr Named<Scope> scope_names[] = {
    {Scope::head, "head"}, {Scope::block, "block"}, {Scope::model, "model"}, {Scope::fixed, "fixed"}};

/// How a value's place in that range becomes a place on the colour map.
enum class Curve { linear, root, logarithm };
inline constexpr Named<Curve> curve_names[] = {
    {Curve::linear, "linear"}, {Curve::root, "root"}, {Curve::logarithm, "logarithm"}};

}  // namespace vitrine
