#pragma once

#include <algorithm>
#include <array>

#include "app/workspace/selection.h"
#include "core/vit/cost.h"
#include "core/vit/model.h"

namespace vitrine {

/// The sizes of the model whose cost the chapter about models shows. A default `Shape` means that none is chosen: the
/// open model's sizes are shown, and sessions, lessons and command lines do not store them.
inline Shape shown_shape(const Selection& selection, const Config& open) {
    const Shape& chosen = selection.focus.dials.shape;
    return chosen == Shape() ? shape_of(open) : chosen;
}

/// True if the chapter about models shows the open model: none is chosen, or one of the same sizes and the same cost.
inline bool shows_open_model(const Selection& selection, const Config& open) {
    const Shape& chosen = selection.focus.dials.shape;
    return chosen == Shape() || (chosen == shape_of(open) && cost_of(config_of(chosen)) == cost_of(open));
}

/// A shape as a choice: ViT-Base is the default `Shape`, which means that none is chosen, so its width is written out.
inline Shape as_choice(Shape shape) {
    if (shape == Shape()) shape.image_width = shape.image;
    return shape;
}

/// A published model, with the parameter count from its paper if given.
struct KnownModel {
    const char* id;
    const char* name;
    Shape shape;
    const char* paper = "";
};

inline constexpr std::array<KnownModel, 6> known_models = {{
    {"base", "ViT-Base/16", {12, 768, 12, 3072, 16, 224, 1000}, "86 M"},
    {"large", "ViT-Large/16", {24, 1024, 16, 4096, 16, 224, 1000}, "307 M"},
    {"huge", "ViT-Huge/14", {32, 1280, 16, 5120, 14, 224, 1000}, "632 M"},
    {"small", "ViT-Small/16", {12, 384, 6, 1536, 16, 224, 1000}},
    {"tiny", "ViT-Tiny/16", {12, 192, 3, 768, 16, 224, 1000}},
    {"course", "ViT, 32 × 32 px", {7, 384, 8, 1536, 16, 32, 10, 3, 0}},
}};

/// A model of the chosen sizes: the open model, a plain Vision Transformer for a published one's sizes, or else the
/// open model resized, with its other properties.
inline Config shown_config(const Selection& selection, const Config& open) {
    if (shows_open_model(selection, open)) return open;
    const Shape shape = shown_shape(selection, open);
    const bool published =
        std::ranges::any_of(known_models, [&](const KnownModel& k) { return as_choice(k.shape) == shape; });
    return published ? config_of(shape) : resized(open, shape);
}

}  // namespace vitrine
