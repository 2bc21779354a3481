#pragma once

namespace vitrine {

/// Over what the range of an attention map's colours is taken; `fixed`: what the user says.
enum class Scope { head, block, model, fixed };

/// How a value's place in that range becomes a place on the colour map.
enum class Curve { linear, root, logarithm };

}  // namespace vitrine
