#pragma once

#include "app/workspace/selection.h"
#include "core/vit/cost.h"
#include "core/vit/model.h"

namespace vitrine {

/// The sizes of the model whose cost the chapter about models shows: the open one's until another is chosen, which a
/// default `Shape` says. So sessions, lessons and command lines name it only once it was chosen.
inline Shape shown_shape(const Selection& selection, const Config& open) {
    const Shape& chosen = selection.focus.dials.shape;
    return chosen == Shape() ? shape_of(open) : chosen;
}

/// Whether that is the open model, with all that no size tells.
inline bool shows_open_model(const Selection& selection, const Config& open) {
    const Shape& chosen = selection.focus.dials.shape;
    return chosen == Shape() || (chosen == shape_of(open) && cost_of(config_of(chosen)) == cost_of(open));
}

/// ViT-Base, of which `Shape` has the numbers, as a choice: its width is written out.
inline Shape as_choice(Shape shape) {
    if (shape == Shape()) shape.image_width = shape.image;
    return shape;
}

}  // namespace vitrine
