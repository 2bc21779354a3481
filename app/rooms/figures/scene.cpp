#include "app/rooms/figures/scene.h"

#include <algorithm>

#include "app/library/library.h"
#include "app/rooms/figures/painting.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/patch_grid.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

std::string range_words(const Scene& scene, const std::string& words) {
    if (scene.other == nullptr) return words;
    return words.empty() ? scene.ui.text("beside.both") : scene.ui.text("beside.range", {{"range", words}});
}

std::string token_name(const Ui& ui, const Result& now, int token) {
    const Config& c = now.model->config;
    const int number = c.number_in_kind(token), columns = c.grid_width();
    return ui.text(std::string("token.") + name_in(token_kinds, c.kind_of(token)),
                   {{"token", ui.ordinal(number)},
                    {"row", ui.ordinal(number / columns)},
                    {"column", ui.ordinal(number % columns)}});
}

std::string short_token_name(const Ui& ui, const Result& now, int token) {
    return short_token_name(ui, now.model->config, token);
}

std::string short_token_name(const Ui& ui, const Config& c, int token) {
    return ui.text(std::string("token.") + name_in(token_kinds, c.kind_of(token)) + "_short",
                   {{"token", ui.ordinal(c.number_in_kind(token))}});
}

std::string tokens_sum(const Config& config) {
    const int leading = config.leading_tokens();
    return leading > 0 ? "N = Nₚ + " + std::to_string(leading) : "N = Nₚ";
}

int patch_at(const Result& now, int token) {
    const Config& c = now.model->config;
    const std::vector<int> order = equations_of(c, now.experiment.what_ifs).order(c.patches());
    return order.empty() ? c.patch_of(token) : order[static_cast<std::size_t>(c.patch_of(token))];
}

std::size_t colour_of_channel(const Scene& scene, std::size_t channel) {
    return scene.now.model->preprocessing.flip_channels ? 2 - channel : channel;
}

std::string name_of_channel(const Scene& scene, std::size_t channel) {
    constexpr const char* letters[] = {"R", "G", "B"};
    const bool grey = scene.now.model->config.channels == 1 || scene.now.model->preprocessing.grey;
    return grey ? scene.ui.text("image.grey") : letters[colour_of_channel(scene, channel)];
}

std::string image_title(const Text& text, const OpenImage& image) {
    const std::string drawn = "class." + image.name;
    return !image.source.sample.empty() && text.has(drawn) ? text(drawn) : image.name;
}

std::string model_title(const Text& text, const Model& model) {
    const auto all = bundled_models();
    const auto bundled = std::ranges::find(all, model.provenance.name, &BundledModel::title);
    if (bundled == all.end() || !model.provenance.path.empty()) return model.provenance.name;
    return text(std::string("model.title.") + bundled->name);
}

std::string class_name(const Ui& ui, const Model& model, int index) {
    const std::string label = model.config.label(index), key = "class." + label;
    const Provenance& from = model.provenance;
    return (from.path.empty() || !from.scenes.empty()) && ui.text.has(key) ? ui.text(key) : label;
}

std::string class_in_words(const Ui& ui, const Model& model, int index) {
    const std::string name = class_name(ui, model, index);
    return name.find(' ') == std::string::npos ? name : "“" + name + "”";
}

std::string class_list(const Ui& ui, const std::vector<std::string>& labels) {
    std::string list;
    for (const std::string& label : labels) {
        const std::string key = "class." + label;
        list += (list.empty() ? "" : ui.text("list.comma")) + (ui.text.has(key) ? ui.text(key) : label);
    }
    return list;
}

Rect fit(Rect into, float aspect) {
    const float width = std::min(into.width(), into.height() * aspect), height = width / aspect;
    const Point c = into.centre();
    return {c.x - width / 2, c.y - height / 2, c.x + width / 2, c.y + height / 2};
}

void caption(const Scene& scene, Point top_centre, const std::string& words) {
    scene.canvas.text(top_centre, words, {Font::caption, scene.ui.theme.palette.muted, Align::centre});
}

std::vector<BarRow> class_rows(const Ui& ui, const Result& now, int count) {
    const bool changed = now.trace.head != now.baseline.head;
    std::vector<BarRow> rows;
    for (const PredictionChange& c : top_changes(*now.trace.head, *now.baseline.head, count)) {
        BarRow row{class_name(ui, *now.model, c.now.index), c.now.probability, {}};
        if (changed) row.baseline = c.probability_before;
        rows.push_back(row);
    }
    return rows;
}

std::vector<int> tokens_off(const WhatIfs& what_ifs) {
    std::vector<int> tokens;
    for (const Intervention& i : what_ifs) {
        if (i.site != Site::tokens || !is_removal(i)) continue;
        if (i.where.token) tokens.push_back(*i.where.token);
        tokens.insert(tokens.end(), i.where.tokens.begin(), i.where.tokens.end());
    }
    return tokens;
}

std::optional<int> patch_pointing(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection,
                                  WhatIfs& what_ifs) {
    const Config& c = scene.now.model->config;
    const std::vector<int> off = tokens_off(what_ifs);
    PatchGrid grid;
    grid.id = picture.id;
    grid.size = {c.grid_height(), c.grid_width()};
    grid.first_token = c.token_of(0);
    grid.query = selection.focus.token;
    grid.hovered = selection.hovered_token();
    grid.off = off;
    grid.lines = picture.lines;
    const GridHit hit = patch_grid(scene.canvas, scene.ui, rect, grid);
    const bool paints = paint_patches(scene.canvas, scene.ui, rect, c, grid, hit, selection, what_ifs);
    if (hit.hovered) {
        selection.hover_token(*hit.hovered);
        if (picture.names) readout(scene.ui, std::vector<std::string>{token_name(scene.ui, scene.now, *hit.hovered)});
    }
    if (hit.clicked && !paints) selection.focus.token = *hit.clicked;
    if (hit.menu) selection.ask_menu({hit.menu});
    if (hit.switched) toggle(what_ifs, remove_token(*hit.switched));
    return hit.hovered;
}

void patch_picture(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection,
                   WhatIfs& what_ifs) {
    scene.canvas.picture(rect, {scene.now.patched, {}, true, picture.opacity, picture.saturation});
    patch_pointing(scene, rect, picture, selection, what_ifs);
}

}  // namespace vitrine
