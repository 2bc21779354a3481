#include "app/rooms/explore/steps/step.h"
#include "app/rooms/figures/memo.h"
#include "app/ui/text.h"
#include "app/workspace/result.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection&) {
    const Tensor3& pixels = now.baseline.embedding->image;
    static Memo<Summary> of_all_pixels;
    const Summary s = of_all_pixels.of(now.baseline.embedding, 0, [&] {
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

bool answered(const Result&, const Selection& selection, const WhatIfs&) {
    return selection.focus.cell && selection.focus.cell->quantity == Quantity::image;
}

}  // namespace

Step image_step() {
    return {.id = "image", .node = Node::image, .view = image_view, .facts = facts, .answered = answered};
}

}  // namespace vitrine
