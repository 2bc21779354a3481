#include <algorithm>
#include <cmath>
#include <limits>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/memo.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace image_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection&) {
    const Tensor3& pixels = now.trace.embedding->pixels();
    static Memo<Summary> of_all_pixels;
    const Summary s = of_all_pixels.of(now.trace.embedding, 0, [&] {
        return summarise({pixels.data(), pixels.size()});
    });
    const Preprocessing& how = now.model->preprocessing;
    const Config& c = now.model->config;
    return {shape_fact(ui.text("fact.source"), {now.image->full.height, now.image->full.width, 3}),
            shape_fact("x", {c.channels, c.image_height, c.image_width}),
            number_fact(ui.text("fact.channel_mean"), how.mean[0]),
            number_fact(ui.text("fact.channel_std"), how.std[0]),
            number_fact(ui.text("fact.least"), s.least),
            number_fact(ui.text("fact.most"), s.most),
            number_fact(ui.text("fact.mean"), s.mean),
            number_fact(ui.text("fact.deviation"), s.deviation)};
}

/// The level 0 … 255 for which x′ is 0 in the first channel: rescaled, it is the channel's mean.
double level_of_zero(const Result& now) {
    const Preprocessing& how = now.model->preprocessing;
    return (static_cast<double>(how.mean[0]) - how.rescale_offset) / how.rescale_factor;
}

/// The smallest |x′| in this image.
float nearest_to_zero(const Result& now) {
    static Memo<float> of_all_pixels;
    return of_all_pixels.of(now.trace.embedding, 0, [&] {
        float nearest = std::numeric_limits<float>::infinity();
        for (const float x : now.trace.embedding->pixels()) nearest = std::min(nearest, std::abs(x));
        return nearest;
    });
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    return ui.text("step.image.answer", {{"level", fixed_text(level_of_zero(now), 1)},
                                         {"nearest", number_text(static_cast<double>(nearest_to_zero(now)))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    const std::optional<Cell>& cell = selection.focus.cell;
    if (!cell || cell->quantity != Quantity::image) return false;
    constexpr float near_enough = 0.1F;
    const Record record = record_of(now);
    return exists(record, *cell) && std::abs(value_of(record, *cell)) <= std::max(near_enough, nearest_to_zero(now));
}

std::optional<Guessed> guessed(const Ui&, const Result& now, const Selection& selection) {
    const std::optional<Cell>& cell = selection.focus.cell;
    if (!cell || cell->quantity != Quantity::image || !exists(record_of(now), *cell)) return std::nullopt;
    return Guessed{answered(now, selection, {}),
                   "x′ = " + number_text(static_cast<double>(value_of(record_of(now), *cell)))};
}

}  // namespace image_parts

Step image_step() {
    return {.id = "image",
            .own = {.node = Node::image, .guessed = image_parts::guessed},
            .facts = image_parts::facts,
            .answer = image_parts::answer,
            .answered = image_parts::answered};
}

}  // namespace vitrine
