#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "app/rooms/figures/difference.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/panels/choices.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/importance.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// A part that can be removed: a head, or a block's MLP.
struct RemovablePart {
    int block = 1;
    std::optional<int> head;  // none: the MLP

    std::string id(const std::string& map) const {
        return head ? map + ".head." + std::to_string(block) + "." + std::to_string(*head)
                    : map + ".mlp." + std::to_string(block);
    }
    std::string name(const Ui& ui) const {
        return head ? head_name(ui, block, *head) : ui.text("causes.mlp", {{"block", ui.ordinal(block - 1)}});
    }
    Intervention removal() const { return head ? remove_head(block, *head) : remove_mlp(block); }
    float value_in(const Tensor2& heads, std::span<const float> mlps) const {
        const auto l = static_cast<std::size_t>(block - 1);
        return head ? heads(l, static_cast<std::size_t>(*head)) : mlps[l];
    }
};

/// A map with a number for each head and each MLP, and its words.
struct MapOfParts {
    const Tensor2& heads;         // (L, h)
    std::span<const float> mlps;  // (L)
    ColourScale scale;
    std::string words, short_words;
    std::string id = "causes";
    std::function<std::vector<std::string>(const RemovablePart&)> told;  // its numbers, a line each
};

/// One removable part in its cell: hatched if it is off.
void draw_part(const LabScene& lab, Rect cell, const RemovablePart& part, const MapOfParts& map,
               const WhatIfs& what_ifs) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    if (contains(what_ifs, part.removal())) hatch(scene.canvas, cell, theme.palette.muted, theme.px(8));
    scene.ui.probe.mark(part.id(map.id), cell, static_cast<double>(part.value_in(map.heads, map.mlps)));
}

/// Names the part under the pointer; a click switches it off or on.
void point_at_part(const LabScene& lab, const Hit& hit, const RemovablePart& part, std::vector<std::string> told,
                   Selection& selection, WhatIfs& what_ifs) {
    const Ui& ui = lab.scene.ui;
    if (part.head) selection.hover_head(*part.head, part.block);
    told.insert(told.begin(), part.name(ui));
    told.push_back(ui.text(contains(what_ifs, part.removal()) ? "switch.on" : "switch.off"));
    readout(ui, told);
    if (hit.clicked) toggle(what_ifs, part.removal());
    if (hit.menu && part.head) selection.ask_menu({{}, Pick{part.block, *part.head, {}}});
}

/// The margin of this run with and without a part, and the part's importance by its gradient, in words.
std::vector<std::string> fall_told(const LabScene& lab, const RemovablePart& part) {
    const Ui& ui = lab.scene.ui;
    const Importance& i = *lab.measured.importance;
    const double fall = static_cast<double>(part.value_in(i.heads, i.mlps)), whole = i.margin, after = whole - fall;
    const int digits = digits_for(-fall, std::minus<>{}, after, whole);
    std::vector<std::string> lines = {ui.text("causes.told", {{"before", digits_text(whole, digits)},
                                                              {"after", digits_text(after, digits)},
                                                              {"change", signed_text(-fall)}})};
    if (part.head && lab.measured.gradient_importance)
        lines.push_back(ui.text(
            "causes.told_gradient",
            {{"value", number_text(static_cast<double>(part.value_in(*lab.measured.gradient_importance, {})))}}));
    return lines;
}

/// Mean and standard deviation, over images, of the fall in the margin without a part, in words.
std::vector<std::string> mean_told(const LabScene& lab, const RemovablePart& part) {
    const Ui& ui = lab.scene.ui;
    const ImportanceOver& over = *lab.measured.importance_over;
    std::vector<std::string> lines = {ui.text(
        "causes.told_mean",
        {{"mean", number_text(static_cast<double>(part.value_in(over.heads, over.mlps)))},
         {"deviation", number_text(static_cast<double>(part.value_in(over.heads_deviation, over.mlps_deviation)))},
         {"count", count_text(static_cast<std::int64_t>(over.numbers.count()))}})};
    if (part.head)
        lines.push_back(ui.text("causes.told_gradient",
                                {{"value", number_text(static_cast<double>(part.value_in(over.gradient, {})))}}));
    return lines;
}

/// A map of the heads, and of the MLPs in a column of their own.
void draw_parts(const LabScene& lab, Rect rect, const MapOfParts& map, Selection& selection, WhatIfs& what_ifs) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Config& c = scene.now.model->config;
    const float apart = theme.px(10), bar = height_of_bar(lab);
    const Rect room{rect.x0, rect.y0, rect.x1 - apart, rect.y1 - bar};
    // The MLPs' column is as wide as a head's.
    const float narrow = room.width() * static_cast<float>(c.heads) / static_cast<float>(c.heads + 1);
    const CauseGrid grid = grid_of_blocks(scene, {room.x0, room.y0, room.x0 + narrow, room.y1}, {c.blocks, c.heads},
                                          ui.text("causes.head"));
    draw_heat(lab, grid, map.heads, map.scale);
    const float x = grid.cells.x1 + apart,
                width = std::min(grid.cells.width() / static_cast<float>(c.heads), rect.x1 - x);
    const CauseGrid column{{x, grid.cells.y0, x + width, grid.cells.y1}, {c.blocks, 1}};
    scene.canvas.heat_map(column.cells, {map.mlps.data(), c.blocks, 1, map.scale});
    scene.canvas.stroke(column.cells, theme.palette.line, theme.px(1));
    const float line = scene.canvas.measure("", Font::caption).y;
    scene.canvas.text({column.cells.x0, column.cells.y0 - line - theme.px(3)}, ui.text("map.mlp"),
                      {Font::caption, theme.palette.muted, Align::left});
    for (int block = 1; block <= c.blocks; ++block) {
        for (int head = 0; head < c.heads; ++head)
            draw_part(lab, grid.cell(block - 1, head), {block, head}, map, what_ifs);
        draw_part(lab, column.cell(block - 1, 0), {block, {}}, map, what_ifs);
    }
    const auto point = [&](const std::string& id, const CauseGrid& at) {
        const Hit hit = hot_area(ui, id, at.cells, map.words, {at.size.rows, at.size.columns});
        const auto cell = hit.at ? cell_at(at.cells, at.size, *hit.at) : std::nullopt;
        if (!cell) return;
        outline_cell(scene.canvas, ui, at.cell(cell->row, cell->column), theme.palette.accent);
        const RemovablePart part{cell->row + 1, &at == &grid ? std::optional(cell->column) : std::nullopt};
        point_at_part(lab, hit, part, map.told(part), selection, what_ifs);
    };
    point(map.id + ".heads", grid);
    point(map.id + ".mlps", column);
    const bool root = map.scale.curve == Curve::root;
    const auto with_colour = [&](const std::string& words) {  // which colour a fall has; a deviation has no sign
        return map.scale.map == ColourMap::diverging ? ui.text("scale.orange", {{"caption", words}}) : words;
    };
    const std::string whole = with_colour(map.words),
                      caption = root ? ui.text("compare.signed_root", {{"caption", whole}}) : whole,
                      curve = root ? "±√ · " : "", coloured = curve + with_colour(map.short_words);
    const auto room_for = [&](const std::string& words) { return scene.canvas.measure(words, Font::caption).x; };
    const bool fits = room_for(coloured) + room_for(range_words(scene, "")) + theme.px(16) <= rect.width();
    const std::string shorter = fits ? coloured : curve + map.short_words;
    scale_bar(scene, {rect.x0, grid.cells.y1 + theme.px(10), rect.x1, rect.y1}, {map.scale, caption, "", shorter});
}

/// The scale of falls, orange where the margin falls and blue where it rises; a root, since a few parts set the range.
ColourScale scale_of_falls(Selection& selection, const Tensor2& heads, std::span<const float> mlps) {
    const float own = std::max({largest_size(heads), largest_size(mlps), 0.01F});
    const float reach = selection.reach("causes.falls", own);
    return {ColourMap::diverging, -reach, reach, Curve::root};
}

/// The map of the heads' importance, estimated from the gradients of one backward pass.
void draw_gradient(const LabScene& lab, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Tensor2& values = *lab.measured.gradient_importance;
    const Config& c = scene.now.model->config;
    const float reach = selection.reach("causes.gradient", std::max(largest_size(values), 1e-6F));
    const ColourScale scale{ColourMap::sequential, 0, reach};
    const CauseGrid grid = grid_of_blocks(scene, {rect.x0, rect.y0, rect.x1, rect.y1 - height_of_bar(lab)},
                                          {c.blocks, c.heads}, ui.text("causes.head"));
    draw_heat(lab, grid, values, scale);
    const std::string words = ui.text("causes.gradient");
    const Hit hit = hot_area(ui, "causes.gradients", grid.cells, words, {c.blocks, c.heads});
    if (const auto cell = hit.at ? cell_at(grid.cells, grid.size, *hit.at) : std::nullopt) {
        outline_cell(scene.canvas, ui, grid.cell(cell->row, cell->column), ui.theme.palette.accent);
        const RemovablePart part{cell->row + 1, cell->column};
        point_at_part(lab, hit, part, fall_told(lab, part), selection, what_ifs);
    }
    scale_bar(scene, {rect.x0, grid.cells.y1 + ui.theme.px(10), rect.x1, rect.y1},
              {scale, words, "", ui.text("causes.gradient_short")});
}

/// The part whose removal lowers the margin most; among the heads alone if `mlps` is empty.
RemovablePart most_important(const Tensor2& heads, std::span<const float> mlps, const Config& c) {
    RemovablePart most{1, 0};
    for (int block = 1; block <= c.blocks; ++block)
        for (int head = mlps.empty() ? 0 : -1; head < c.heads; ++head) {
            const RemovablePart part{block, head < 0 ? std::nullopt : std::optional(head)};
            if (part.value_in(heads, mlps) > most.value_in(heads, mlps)) most = part;
        }
    return most;
}

/// Spearman's rank correlation of the falls' magnitudes and the gradient importance: whether the same heads matter.
double agreement_of(const Tensor2& falls, const Tensor2& gradient) {
    std::vector<float> sizes(falls.size());
    std::ranges::transform(falls, sizes.begin(), [](float x) { return std::abs(x); });
    return rank_correlation(sizes, {gradient.data(), gradient.size()});
}

void importance_figure(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    if (!lab.measured.importance || !lab.measured.gradient_importance) return report_missing(lab);
    const Ui& ui = lab.scene.ui;
    const Importance& i = *lab.measured.importance;
    const RemovablePart most = most_important(i.heads, i.mlps, lab.scene.now.model->config);
    const double agreement = agreement_of(i.heads, *lab.measured.gradient_importance);
    const auto named = [&](const char* key, const RemovablePart& part) {
        return ui.text(key, {{"part", part.name(ui)},
                             {"change", number_text(static_cast<double>(part.value_in(i.heads, i.mlps)))}});
    };
    std::string parts = named("causes.most", most);
    if (!most.head) parts += named("causes.most_head", most_important(i.heads, {}, lab.scene.now.model->config));
    const Rect above = words_below(lab, "causes.agreement",
                                   ui.text("causes.numbers", {{"class", class_of(lab, i.chosen)},
                                                              {"margin", number_text(i.margin)},
                                                              {"parts", parts},
                                                              {"rank", number_text(agreement)}}),
                                   agreement);
    const MapOfParts falls{i.heads,
                           i.mlps,
                           scale_of_falls(selection, i.heads, i.mlps),
                           ui.text("causes.fall", {{"class", class_of(lab, i.chosen)}}),
                           ui.text("causes.fall_short"),
                           "causes",
                           [&](const RemovablePart& part) { return fall_told(lab, part); }};
    draw_parts(lab, columns(above, 0, 0.52F), falls, selection, what_ifs);
    draw_gradient(lab, columns(above, 0.57F, 1), selection, what_ifs);
}

/// Mean and standard deviation of the importance over images.
void importance_over_figure(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    const ImportanceOver* const over = lab.measured.importance_over.get();
    if (over == nullptr || over->numbers.count() == 0) return report_missing(lab);
    const Ui& ui = lab.scene.ui;
    const RemovablePart most = most_important(over->heads, over->mlps, lab.scene.now.model->config);
    const double agreement = agreement_of(over->heads, over->gradient);
    const auto number = [&](const Tensor2& heads, const std::vector<float>& mlps) {
        return number_text(static_cast<double>(most.value_in(heads, mlps)));
    };
    const std::string words =
        ui.text("causes.over_numbers", {{"images", tried_words(ui, over->images)},
                                        {"part", most.name(ui)},
                                        {"mean", number(over->heads, over->mlps)},
                                        {"deviation", number(over->heads_deviation, over->mlps_deviation)},
                                        {"rank", number_text(agreement)}});
    const Rect above = words_below(lab, "causes.over", words, static_cast<double>(over->numbers.count()));
    MapOfParts map{over->heads,
                   over->mlps,
                   scale_of_falls(selection, over->heads, over->mlps),
                   ui.text("causes.mean"),
                   ui.text("causes.mean_short"),
                   "causes",
                   [&](const RemovablePart& part) { return mean_told(lab, part); }};
    draw_parts(lab, columns(above, 0, 0.47F), map, selection, what_ifs);
    const float most_deviation =
        std::max({largest_size(over->heads_deviation), largest_size(over->mlps_deviation), 0.01F});
    const ColourScale spread{ColourMap::sequential, 0, selection.reach("causes.deviation", most_deviation)};
    const MapOfParts deviation{over->heads_deviation,       over->mlps_deviation, spread,  ui.text("causes.deviation"),
                               ui.text("causes.deviation"), "causes.deviation",   map.told};
    draw_parts(lab, columns(above, 0.53F, 1), deviation, selection, what_ifs);
}

void importance_controls(const LabControls& controls) {
    Laboratory& lab = controls.explanation.selection.focus.lab;
    choice(controls.explanation.ui, "lab.over", importance_scope_names, lab.over);
    if (lab.over == ImportanceScope::images) images_controls(controls);
}

/// The heads' importance, and the MLPs' as the last column.
Comparison compare_importance(const LabPair& p) {
    Comparison all;
    const int heads = config_in(p.a).heads;
    ComparedNumbers what = compared_heads(p.ui, p.selection, "difference.importance",
                                          p.ui.text("difference.importance"), {config_in(p.a).blocks, heads});
    what.name = [of_head = what.name, &p, heads](int i) {
        const int block = i / (heads + 1), part = i % (heads + 1);
        return part == heads ? p.ui.text("causes.mlp", {{"block", p.ui.ordinal(block)}})
                             : of_head(block * heads + part);
    };
    what.pointed = {};
    what.cells.columns = heads + 1;
    const bool over = p.a.focus.lab.over == ImportanceScope::images;
    const auto read = [over](const LabRun& run) {
        Numbers own;
        const auto add = [&](const Tensor2& of_heads, const std::vector<float>& of_mlps) {
            for (std::size_t l = 0; l < of_mlps.size(); ++l) {
                const Numbers row = row_numbers(of_heads, static_cast<int>(l));
                own.insert(own.end(), row.begin(), row.end());
                own.push_back(of_mlps[l]);
            }
        };
        if (over && run.measured.importance_over)
            add(run.measured.importance_over->heads, run.measured.importance_over->mlps);
        else if (!over && run.measured.importance)
            add(run.measured.importance->heads, run.measured.importance->mlps);
        return own;
    };
    all.add(both_runs(p, what, read), p.ui.text("difference.shapes"), heads == config_in(p.b).heads);
    return all;
}

}  // namespace

const CauseRow importance_row = {.figure = CauseFigure::importance,
                                 .draw =
                                     [](const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
                                         (selection.focus.lab.over == ImportanceScope::images
                                              ? importance_over_figure
                                              : importance_figure)(lab, selection, what_ifs);
                                     },
                                 .controls = importance_controls,
                                 .compared = compare_importance,
                                 .grows = [](const Laboratory& lab) { return lab.over == ImportanceScope::images; }};

}  // namespace vitrine
