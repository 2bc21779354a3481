#include <algorithm>
#include <cmath>
#include <functional>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

/// Draws the channels of a patch or filter, stacked and named, (C·P, P), on a signed scale. `id` is also the key of the
/// caption.
void draw_planes(const Scene& scene, Rect rect, const std::string& id, std::span<const float> values, float reach) {
    const std::string& words = scene.ui.text(id);
    const Config& c = scene.now.model->config;
    const int rows = c.channels * c.patch_size;
    const float line = scene.ui.theme.px(24);
    const Rect frame = fit({rect.x0, rect.y0, rect.x1, rect.y1 - 2 * line},
                           static_cast<float>(c.patch_size) / static_cast<float>(rows));
    scene.canvas.heat_map(frame, {values.data(), rows, c.patch_size, {ColourMap::diverging, -reach, reach}, 1.0F});
    const float plane = frame.height() / static_cast<float>(c.channels);
    for (int i = 1; i < c.channels; ++i) {
        const float y = frame.y0 + static_cast<float>(i) * plane;
        scene.canvas.line({frame.x0, y}, {frame.x1, y}, scene.ui.theme.palette.panel, scene.ui.theme.px(3));
    }
    // In a narrow figure the letters would cover the operator before it.
    const bool lettered = frame.x0 - rect.x0 + rect.width() / 8 > scene.ui.theme.px(32);
    if (c.channels == 3 && lettered)
        for (int i = 0; i < c.channels; ++i) {
            const float y =
                frame.y0 + (static_cast<float>(i) + 0.5F) * plane - scene.canvas.measure("", Font::caption).y / 2;
            const std::string name = name_of_channel(scene, static_cast<std::size_t>(i));
            scene.canvas.text({frame.x0 - scene.ui.theme.px(5), y}, name,
                              {Font::caption, scene.ui.theme.palette.muted, Align::right});
            scene.ui.probe.mark(id + ".channel." + std::to_string(i), {frame.x0, y, frame.x1, y + plane}, i, name);
        }
    caption(scene, {frame.centre().x, frame.y1 + scene.ui.theme.px(6)}, words);
    caption(scene, {frame.centre().x, frame.y1 + scene.ui.theme.px(6) + line}, "± " + number_text(reach));
}

void draw_operator(const Scene& scene, Point centre, const std::string& sign) {
    const Theme& theme = scene.ui.theme;
    const Point size = scene.canvas.measure(sign, Font::title);
    scene.canvas.text({centre.x, centre.y - size.y / 2}, sign, {Font::title, theme.palette.muted, Align::centre});
}

/// Draws patch ⊙ filter, its sum and the bias, which give one number.
void draw_product(const Scene& scene, Rect rect, const FilterProduct& f, Selection& selection) {
    const auto planes = [&](Rect part, const char* id, std::span<const float> values, std::span<const float> of) {
        draw_planes(scene, part, id, values, selection.reach(id, reach_of(of)));
    };
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    const float column = rect.width() / 4;
    const auto part = [&](int i) {
        return Rect{rect.x0 + column * static_cast<float>(i), rect.y0,
                    rect.x0 + column * (static_cast<float>(i) + 0.8F), rect.y1};
    };
    const float height = rect.centre().y - theme.px(24);
    planes(part(0), "embedding.patch", f.patch, f.patch);
    draw_operator(scene, {rect.x0 + column * 0.9F, height}, "⊙");
    planes(part(1), "embedding.filter", f.filter, f.filter);
    draw_operator(scene, {rect.x0 + column * 1.9F, height}, "=");
    std::vector<float> product = f.product;
    for (float& x : product) x *= phase(scene.time, 0.1F, 0.6F);
    planes(part(2), "embedding.product", product, f.product);
    draw_operator(scene, {rect.x0 + column * 2.9F, height}, "Σ");

    const float x = rect.x0 + column * 3.05F, line = theme.px(30);
    float y = height - 2 * line;
    const auto row = [&](const std::string& words, Font font, Color color) {
        scene.canvas.text({x, y}, words, {font, color, Align::left});
        y += line;
    };
    const int digits = digits_for(f.result, std::plus<>(), f.sum, f.bias);
    const std::string sum = text("embedding.sum", {{"value", digits_text(f.sum, digits)}}),
                      bias = text("embedding.bias", {{"value", digits_text(f.bias, digits)}});
    row(sum, Font::body, theme.palette.text);
    row(bias, Font::body, theme.palette.text);
    row("= " + number_text(f.result), Font::heading, theme.palette.accent);
    scene.ui.probe.mark("embedding.result", {x, y - line, rect.x1, y}, f.result,
                        sum + " " + bias + " = " + number_text(f.result));
}

/// Draws one feature of every patch, on the image's grid.
void draw_feature_map(const Scene& scene, Rect rect, int feature, Selection& selection, WhatIfs& what_ifs) {
    const Config& c = scene.now.model->config;
    const Theme& theme = scene.ui.theme;
    const Tensor2& embedding = scene.now.trace.embedding->patch_embedding;
    std::vector<float> values;
    for (std::size_t i = 0; i < embedding.shape()[0]; ++i)
        values.push_back(embedding(i, static_cast<std::size_t>(feature)));
    const float reach = selection.reach("embedding.map", reach_of(values)), bar = theme.px(64);
    const ColourScale scale{ColourMap::diverging, -reach, reach};
    const Rect frame = fit({rect.x0, rect.y0, rect.x1, rect.y1 - bar - theme.px(8)},
                           static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
    scene.canvas.heat_map(frame, {values.data(), c.grid_height(), c.grid_width(), scale, 1.0F});
    patch_pointing(scene, frame, {"embedding.map", 1, 1, true}, selection, what_ifs);
    scale_bar(scene, {rect.x0, rect.y1 - bar, rect.x1, rect.y1},
              {scale, scene.ui.text("embedding.feature", {{"feature", scene.ui.ordinal(feature)}}),
               scene.ui.text("scope.all_patches")});
}

/// Draws the patch's D numbers; hovering previews a feature, a click chooses it.
void draw_vector(const Scene& scene, Rect rect, int patch, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Tensor2& embedding = scene.now.trace.embedding->patch_embedding;
    const std::size_t features = embedding.shape()[1];
    const std::span<const float> vector{&embedding(static_cast<std::size_t>(patch), 0), features};
    const Rect bars{rect.x0, rect.y0 + theme.px(28), rect.x1, rect.y1};
    const float reach = selection.reach("embedding.vector", reach_of(vector));
    scene.canvas.text(
        {rect.x0, rect.y0},
        scene.ui.text(scene.ui.bare ? "embedding.vector_bare" : "embedding.vector",
                      {{"count", count_text(static_cast<std::int64_t>(features))}, {"reach", number_text(reach)}}),
        {Font::caption, theme.palette.muted, Align::left});
    feature_bars(scene.canvas, scene.ui, bars, {vector, reach, selection.feature_in_view()});
    const CellHit hit = point_at_cells(scene, bars,
                                       {"embedding.vector",
                                        row_region(Quantity::patch_embedding, 0, 0, patch, static_cast<int>(features)),
                                        {1, static_cast<int>(features)}},
                                       selection);
    if (hit.hovered) selection.hover_feature(hit.hovered->column);
    if (!hit.clicked) return;
    selection.focus.feature = hit.clicked->column;
    selection.focus.cell.reset();
}

}  // namespace

void patch_embedding_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Model& model = *scene.now.model;
    const Config& c = model.config;
    const int token = std::max(c.token_of(0), selection.focus.token), feature = selection.feature_in_view();
    const FilterProduct f = filter_product(scene.now.trace.embedding->pixels(), model.weights.patch_embedding,
                                           patch_at(scene.now, token), feature);

    const float gap = theme.px(32), split = a.y0 + a.height() * 0.46F, left = a.x0 + a.width() * 0.36F;
    const float line = theme.px(24), picture_line = theme.px(30);
    const Rect picture = fit({a.x0, a.y0, left - gap, split - picture_line},
                             static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
    patch_picture(scene, picture, {"embedding.image", 1, 1, true}, selection, what_ifs);
    const std::string name =
        c.is_patch(selection.focus.token)
            ? token_name(scene.ui, scene.now, token)
            : scene.ui.text("embedding.instead",
                            {{"patch", short_token_name(scene.ui, scene.now, token)},
                             {"token", short_token_name(scene.ui, scene.now, selection.focus.token)}});
    caption(scene, {picture.centre().x, picture.y1 + theme.px(8)}, name);
    scene.ui.probe.mark("embedding.token", picture, token, name);
    draw_product(scene, {left, a.y0, a.x1, split}, f, selection);

    const Rect below{a.x0, split + line, a.x1, a.y1};
    draw_feature_map(scene, {below.x0, below.y0, left - gap, below.y1}, feature, selection, what_ifs);
    draw_vector(scene, {left, below.y0, below.x1, below.y1}, c.patch_of(token), selection);
}

}  // namespace vitrine
