#pragma once

#include "app/workspace/selection.h"
#include "core/vit/cost.h"

namespace vitrine {

/// The shape whose cost the chapter about models shows: the open model's until another one is chosen, which a default
/// `Shape` says. So sessions, lessons and command lines name it only once it was chosen.
inline Shape shown_shape(const Selection& selection, const Config& open) {
    const Shape& chosen = selection.focus.dials.shape;
    return chosen == Shape() ? shape_of(open) : chosen;
}

/// ViT-Base, of which `Shape` has the numbers, as a choice: its width is written out.
inline Shape as_choice(Shape shape) {
    if (shape == Shape()) shape.image_width = shape.image;
    return shape;
}

}  // namespace vitrine
