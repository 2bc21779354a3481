#include <algorithm>
#include <cmath>

#include "app/library/library.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/memo.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::string pixels_text(int width, int height) { return std::to_string(width) + " × " + std::to_string(height); }

/// The places of a picture and of its caption: one line if there is room, else wrapped to the picture's width, or to a
/// short line if the picture is narrow.
struct Captioned {
    Rect frame, words;
};

Captioned place_captioned(const Scene& scene, Rect rect, float aspect, const std::string& words) {
    const Theme& theme = scene.ui.theme;
    const RichText text{words, Font::caption, theme.palette.muted, Align::centre};
    const float gap = theme.px(8), line = measure_rich(scene.canvas, text, 1e6F).x + 1;
    const float narrowest = line <= rect.width() ? line : std::min(rect.width(), theme.px(220));
    Captioned both;
    float height = 0;
    for (int tries = 0; tries < 4; ++tries) {  // a lower picture is narrower, so its caption may need another line
        both.frame = fit({rect.x0, rect.y0, rect.x1, rect.y1 - gap - height}, aspect);
        const float half = std::max(both.frame.width(), narrowest) / 2, middle = both.frame.centre().x;
        const float needed = measure_rich(scene.canvas, text, 2 * half).y;
        both.words = {middle - half, both.frame.y1 + gap, middle + half, both.frame.y1 + gap + needed};
        if (needed <= height) break;
        height = needed;
    }
    return both;
}

void draw_words(const Scene& scene, Rect rect, const std::string& words) {
    rich_text(scene.canvas, scene.ui, rect, {words, Font::caption, scene.ui.theme.palette.muted, Align::centre});
}

/// Draws the original image; the parts that the model does not see are dimmed.
void draw_source(const Scene& scene, Rect rect) {
    const Theme& theme = scene.ui.theme;
    const OpenImage& image = *scene.now.image;
    const float width = static_cast<float>(image.full.width), height = static_cast<float>(image.full.height);
    const std::string name =
        fitted(scene.canvas, image_title(scene.ui.text, image), Font::caption, rect.width() * 0.5F);
    const std::string words =
        scene.ui.text("image.source", {{"name", name}, {"size", pixels_text(image.full.width, image.full.height)}});
    const Captioned both = place_captioned(scene, rect, width / height, words);
    const float up = both.frame.y0 - rect.y0;
    const Rect frame{both.frame.x0, rect.y0, both.frame.x1, both.frame.y1 - up};
    scene.canvas.picture(frame, {image.display, {}, false, 1.0F, 1.0F});

    const auto at_x = [&](double x) { return frame.x0 + static_cast<float>(x) / width * frame.width(); };
    const auto at_y = [&](double y) { return frame.y0 + static_cast<float>(y) / height * frame.height(); };
    const Rect crop{std::max(frame.x0, at_x(scene.now.crop.left)), std::max(frame.y0, at_y(scene.now.crop.top)),
                    std::min(frame.x1, at_x(scene.now.crop.right)), std::min(frame.y1, at_y(scene.now.crop.bottom))};
    const Color veil = theme.palette.background.with_alpha(0.6F);
    scene.canvas.fill({frame.x0, frame.y0, frame.x1, crop.y0}, veil);
    scene.canvas.fill({frame.x0, crop.y1, frame.x1, frame.y1}, veil);
    scene.canvas.fill({frame.x0, crop.y0, crop.x0, crop.y1}, veil);
    scene.canvas.fill({crop.x1, crop.y0, frame.x1, crop.y1}, veil);
    scene.canvas.stroke(crop, theme.palette.accent, theme.px(2));
    const Rect below{both.words.x0, both.words.y0 - up, both.words.x1, both.words.y1 - up};
    draw_words(scene, below, words);
    scene.ui.probe.mark("image.source_words", below, 0, words);
}

/// Shows a readout of the hovered pixel: 8-bit colours and normalised values.
void tell_pixel(const Scene& scene, Rect frame, Point pointer) {
    const Tensor3& pixels = scene.now.trace.embedding->pixels();
    const GridSize size{static_cast<int>(pixels.shape()[1]), static_cast<int>(pixels.shape()[2])};
    const auto cell = cell_at(frame, size, pointer);
    if (!cell) return;
    outline_cell(scene.canvas, scene.ui, cell_rect(frame, size, *cell), scene.ui.theme.palette.accent);
    std::vector<std::string> lines = {scene.ui.text(
        "image.pixel", {{"row", scene.ui.ordinal(cell->row)}, {"column", scene.ui.ordinal(cell->column)}})};
    const auto y = static_cast<std::size_t>(cell->row), x = static_cast<std::size_t>(cell->column);
    const std::size_t channels = pixels.shape()[0];
    for (std::size_t c = 0; c < channels; ++c) {
        const Image& seen = *scene.now.patched;
        const std::uint8_t* const rgb = &seen.rgb[(y * static_cast<std::size_t>(seen.width) + x) * 3];
        const std::string levels =
            scene.now.model->preprocessing.grey
                ? std::to_string(rgb[0]) + ", " + std::to_string(rgb[1]) + ", " + std::to_string(rgb[2])
                : std::to_string(rgb[channels == 3 ? colour_of_channel(scene, c) : 0]);
        lines.push_back((channels == 3 ? name_of_channel(scene, c) + "  " : std::string()) + levels + "  →  " +
                        number_text(pixels(c, y, x)));
    }
    readout(scene.ui, lines);
}

/// Description of the model's input: its size, and whether and how far the picture was squashed.
std::string seen_words(const Scene& scene) {
    const Image& seen = *scene.now.seen;
    const double taken = (scene.now.crop.right - scene.now.crop.left) / (scene.now.crop.bottom - scene.now.crop.top);
    const double kept = static_cast<double>(seen.width) / static_cast<double>(seen.height) / taken;
    constexpr double slight = 0.02;  // less is not mentioned
    const char* const key = kept < 1 - slight         ? "image.seen_narrower"
                            : kept > 1 / (1 - slight) ? "image.seen_flatter"
                                                      : "image.seen";
    return scene.ui.text(
        key, {{"size", pixels_text(seen.width, seen.height)}, {"share", percent_text(std::min(kept, 1 / kept))}});
}

/// Draws the model's input, every pixel as a square.
void draw_seen(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Image& seen = *scene.now.seen;
    const std::string words = seen_words(scene);
    const auto [frame, below] =
        place_captioned(scene, rect, static_cast<float>(seen.width) / static_cast<float>(seen.height), words);
    patch_picture(scene, frame, {"image.seen", 1.0F, 1.0F, false, false}, selection, what_ifs);
    const Hit hit = hot_area(scene.ui, "image.pixels", frame, {}, {seen.height, seen.width});
    if (hit.at) tell_pixel(scene, frame, *hit.at);
    draw_words(scene, below, words);
    scene.ui.probe.mark("image.seen_words", below, 0, words);
}

/// Draws the normalised channels as signed maps on one scale.
void draw_channels(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Tensor3& pixels = scene.now.trace.embedding->pixels();
    const std::size_t channels = pixels.shape()[0], height = pixels.shape()[1], width = pixels.shape()[2];
    static Memo<float> largest;
    const float own = largest.of(scene.now.trace.embedding, 0, [&] {
        float most = 0.0F;
        for (const float x : pixels) most = std::max(most, std::abs(x));
        return most;
    });
    const ColourScale scale = named_scale(selection, "image.channels", {ColourMap::diverging, -own, own});

    const float gap = theme.px(16), bar = theme.px(64), line = theme.px(24);
    const float step = (rect.width() + gap) / static_cast<float>(channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const float left = rect.x0 + static_cast<float>(c) * step;
        const Rect plane = fit({left, rect.y0, left + step - gap, rect.y1 - bar - line},
                               static_cast<float>(width) / static_cast<float>(height));
        scene.canvas.heat_map(plane,
                              {&pixels(c, 0, 0), static_cast<int>(height), static_cast<int>(width), scale, 1.0F});
        const int first = static_cast<int>(c * height);
        const Region region{Quantity::image, 0, 0, first, first + static_cast<int>(height), 0, static_cast<int>(width)};
        point_at_cells(
            scene, plane,
            {"image.channel." + std::to_string(c), region, {static_cast<int>(height), static_cast<int>(width)}},
            selection);
        caption(scene, {plane.centre().x, plane.y1 + theme.px(4)}, name_of_channel(scene, c));
    }
    scale_bar(scene, {rect.x0, rect.y1 - bar, rect.x1, rect.y1},
              {scale, scene.ui.text("image.normalised"), scene.ui.text("scope.image")});
}

}  // namespace

void image_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const float gap = scene.ui.theme.px(36), middle = a.x0 + a.width() * 0.5F;
    draw_source(scene, {a.x0, a.y0, middle - gap / 2, a.y1});
    const float split = a.y0 + a.height() * 0.6F;
    draw_seen(scene, {middle + gap / 2, a.y0, a.x1, split}, selection, what_ifs);
    draw_channels(scene, {middle + gap / 2, split + scene.ui.theme.px(12), a.x1, a.y1}, selection);
}

}  // namespace vitrine
