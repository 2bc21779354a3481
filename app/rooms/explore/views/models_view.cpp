#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/chapters/shown_shape.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/cost.h"
#include "core/vit/model.h"
#include "core/vit/weight_parts.h"

namespace vitrine {

namespace {

/// A count with a metric prefix: "86.6 M", "17.6 G", "346 MB".
std::string short_count(double count, const char* unit = "") {
    static constexpr std::array<std::pair<double, const char*>, 4> steps = {
        {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
    for (const auto& [size, letter] : steps)
        if (count >= size) return number_text(count / size) + letter + unit;
    return whole_count(count) + (*unit == '\0' ? "" : std::string(" ") + unit);
}

/// Right ends of the columns as shares of the width: name, L, D, M, h, N, and three counts.
constexpr float edges[] = {0.24F, 0.29F, 0.36F, 0.43F, 0.48F, 0.55F, 0.70F, 0.86F, 1.0F};

struct Row {
    std::string id, name, paper;
    Shape shape;
    const Config& config;
    bool chosen = false;
};

constexpr float rows_of_table = known_models.size() + 3;  // includes the heading, the open model and the user's own

/// Draws a row of the table; a click sets the user's own model to its shape.
void draw_model_row(const Scene& scene, Rect rect, const Row& row, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Hit hit = hot_area(scene.ui, "models." + row.id, rect, row.name);
    tooltip(scene.ui, scene.ui.text("models.use_tip"));
    if (row.chosen || hit.at) scene.canvas.fill(rect, theme.palette.raised, theme.px(4));
    if (row.chosen)
        scene.canvas.fill({rect.x0, rect.y0, rect.x0 + theme.px(4), rect.y1}, theme.palette.accent, theme.px(2));
    if (row.chosen) scene.ui.probe.mark("models.chosen", rect, 0, row.id);
    if (hit.clicked) selection.focus.dials.shape = row.id == "open" ? Shape() : as_choice(row.shape);
    const Cost cost = cost_of(row.config);
    const std::string cells[] = {std::to_string(row.shape.blocks), std::to_string(row.shape.width),
                                 std::to_string(row.shape.hidden), std::to_string(row.shape.heads),
                                 whole_count(row.config.tokens()), short_count(cost.parameters),
                                 short_count(cost.multiply_adds),  short_count(cost.weight_bytes, "B")};
    const float y = rect.centre().y - scene.canvas.measure("", Font::body).y / 2;
    text_line(scene, {rect.x0 + theme.px(10), y}, rect.width() * edges[0] - theme.px(12), row.name);
    for (std::size_t i = 0; i < std::size(cells); ++i)
        scene.canvas.text({rect.x0 + rect.width() * edges[i + 1] - theme.px(6), y}, cells[i],
                          {Font::mono, theme.palette.text, Align::right});
    scene.ui.probe.mark("models." + row.id + ".parameters", rect, cost.parameters, cells[5]);
    if (!row.paper.empty() && hit.at)
        readout(scene.ui, std::vector<std::string>{row.name, scene.ui.text("models.paper", {{"count", row.paper}})});
}

void draw_model_table(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& open = scene.now.model->config;
    const Shape own = shown_shape(selection, open);
    const bool is_open = shows_open_model(selection, open);  // which may be a published one
    std::vector<Config> configs;
    for (const KnownModel& k : known_models) configs.push_back(config_of(k.shape));
    configs.push_back(shown_config(selection, open));
    std::vector<Row> rows = {{"open", model_title(scene.ui.text, *scene.now.model), {}, shape_of(open), open, is_open}};
    for (std::size_t i = 0; i < known_models.size(); ++i)
        rows.push_back({known_models[i].id, known_models[i].name, known_models[i].paper,
                        as_choice(known_models[i].shape), configs[i]});
    const auto chosen = std::ranges::find(rows.begin() + 1, rows.end(), own, &Row::shape);
    const bool is_own = !is_open && chosen == rows.end();
    if (!is_open && !is_own) chosen->chosen = true;
    rows.push_back({"own", text("models.own"), {}, own, configs.back(), is_own});
    const float height = std::min(theme.px(36), rect.height() / static_cast<float>(rows.size() + 1));
    const char* const heads[] = {"L", "D", "M", "h", "N", "models.parameters", "models.macs", "models.memory"};
    for (int i = 0; i < 8; ++i) {
        const std::string words = i < 5 ? heads[i] : text(heads[i]);
        const float width = rect.width() * (edges[i + 1] - edges[i]) - theme.px(4);
        scene.canvas.text({rect.x0 + rect.width() * edges[i + 1] - theme.px(6), rect.y0},
                          fitted(scene.canvas, words, Font::caption, width),
                          {Font::caption, theme.palette.muted, Align::right});
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float y = rect.y0 + height * static_cast<float>(i + 1);
        draw_model_row(scene, {rect.x0, y, rect.x1, y + height - theme.px(2)}, rows[i], selection);
    }
}

/// A slider of the user's own model, which steps through a list of values.
struct Dial {
    const char* id;
    int Shape::*value;
    std::span<const int> choices;
};
void draw_dial(const Scene& scene, Rect rect, const Dial& dial, Shape& shape) {
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    begin_child({(std::string("models.dial.") + dial.id).c_str(), rect.width(), rect.height(), false, false,
                 ImGuiWindowFlags_NoScrollbar});
    int nearest = 0;
    for (int i = 0; i < static_cast<int>(dial.choices.size()); ++i)
        if (std::abs(dial.choices[static_cast<std::size_t>(i)] - shape.*dial.value) <
            std::abs(dial.choices[static_cast<std::size_t>(nearest)] - shape.*dial.value))
            nearest = i;
    auto at = static_cast<float>(nearest);
    const bool oblong = dial.value == &Shape::image && shape.image_width > 0 && shape.image_width != shape.image;
    const auto words = [&](float) {
        return count_text(shape.*dial.value) + (oblong ? " × " + count_text(shape.image_width) : "");
    };
    const std::string id = std::string("models.") + dial.id;
    if (slider(scene.ui, {id, scene.ui.text(id), {}, {}}, {0, static_cast<float>(dial.choices.size() - 1), 1, words},
               at)) {
        shape.*dial.value = dial.choices[static_cast<std::size_t>(std::lround(at))];
        if (dial.value == &Shape::image) shape.image_width = 0;  // the control gives square images
    }
    ImGui::EndChild();
}

void draw_shape_dials(const Scene& scene, Rect rect, Selection& selection) {
    static constexpr int blocks[] = {1, 2, 4, 6, 7, 8, 12, 16, 24, 32, 48},
                         widths[] = {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1280, 1664},
                         heads[] = {1, 2, 3, 4, 6, 8, 12, 16},
                         hidden[] = {128, 256, 384, 768, 1024, 1536, 2048, 3072, 4096, 5120, 8192},
                         patches[] = {2, 4, 8, 14, 16, 32}, images[] = {32, 64, 96, 128, 224, 256, 384, 448, 512};
    const Dial dials[] = {{"blocks", &Shape::blocks, blocks}, {"width", &Shape::width, widths},
                          {"heads", &Shape::heads, heads},    {"hidden", &Shape::hidden, hidden},
                          {"patch", &Shape::patch, patches},  {"image", &Shape::image, images}};
    const float gap = scene.ui.theme.px(24), width = (rect.width() - 2 * gap) / 3, height = rect.height() / 2;
    const Shape shown = shown_shape(selection, scene.now.model->config);
    Shape shape = shown;
    for (int i = 0; i < 6; ++i) {
        const float x = rect.x0 + (width + gap) * static_cast<float>(i % 3),
                    y = rect.y0 + height * static_cast<float>(i / 3);
        draw_dial(scene, {x, y, x + width, y + height}, dials[i], shape);
    }
    if (shape != shown) selection.focus.dials.shape = as_choice(shape);
}

/// The colour of a part of the network, the same as in other figures.
Color color_of_part(const Palette& p, WeightPart part) {
    switch (part) {
        case WeightPart::embedding: return p.key;
        case WeightPart::positions: return p.residual;
        case WeightPart::attention: return p.accent;
        case WeightPart::mlp: return p.mlp;
        case WeightPart::norms: return p.norm;
        case WeightPart::head: return p.value;
    }
    return p.muted;
}

/// An entry of the legend below the bar: "MLP 445 824".
struct PartEntry {
    std::string id, words;
    Color color;
    double count;
};
std::vector<PartEntry> part_entries(const Scene& scene, const Config& config) {
    const WeightCounts counts = weight_sizes(config).by_part;
    std::vector<PartEntry> entries;
    for (const Named<WeightPart>& row : weight_part_names) {
        const double count = counts[static_cast<std::size_t>(row.value)];
        if (count == 0) continue;
        const std::string name = scene.ui.text("weights." + std::string(row.name));
        entries.push_back({"models.weights." + std::string(row.name), name + " " + whole_count(count),
                           color_of_part(scene.ui.theme.palette, row.value), count});
    }
    return entries;
}

constexpr float part_bar = 14, part_gap = 6;  // px at scale 1

/// The entries' positions, flowing over as many lines as they need.
std::vector<Rect> places_of_parts(const Scene& scene, Rect rect, std::span<const PartEntry> entries) {
    const Theme& theme = scene.ui.theme;
    const float line = scene.canvas.measure("", Font::caption).y, sign = theme.px(16), apart = theme.px(18);
    std::vector<Rect> places;
    float x = rect.x0, y = rect.y0 + line + theme.px(part_gap) + theme.px(part_bar) + theme.px(part_gap);
    for (const PartEntry& entry : entries) {
        const float width = sign + scene.canvas.measure(entry.words, Font::caption).x;
        if (x > rect.x0 && x + width > rect.x1) x = rect.x0, y += line;
        places.push_back({x, y, x + width, y + line});
        x += width + apart;
    }
    return places;
}

float height_of_parts(const Scene& scene, Rect rect, const Config& config) {
    const std::vector<PartEntry> entries = part_entries(scene, config);
    const std::vector<Rect> places = places_of_parts(scene, rect, entries);
    return places.empty() ? 0 : places.back().y1 - rect.y0 + scene.ui.theme.px(8);
}

/// Name of the open or published model that is shown; none if it is the user's own.
std::optional<std::string> name_of_shown(const Scene& scene, const Selection& selection) {
    const Model& open = *scene.now.model;
    if (shows_open_model(selection, open.config)) return model_title(scene.ui.text, open);
    const Shape shape = shown_shape(selection, open.config);
    const auto row =
        std::ranges::find_if(known_models, [&](const KnownModel& k) { return as_choice(k.shape) == shape; });
    return row == known_models.end() ? std::nullopt : std::optional<std::string>(row->name);
}

/// Draws the chosen model's weights by part, as a bar with numbers.
void draw_parts(const Scene& scene, Rect rect, const Config& config, const std::optional<std::string>& name) {
    const Theme& theme = scene.ui.theme;
    const double all = cost_of(config).parameters;
    const std::vector<PartEntry> entries = part_entries(scene, config);
    const std::vector<Rect> places = places_of_parts(scene, rect, entries);
    const std::string title = scene.ui.text(name ? "weights.title" : "weights.title_custom",
                                            {{"count", whole_count(all)}, {"model", name.value_or("")}});
    text_line(scene, {rect.x0, rect.y0}, rect.width(), title, Font::caption);
    const float top = rect.y0 + scene.canvas.measure("", Font::caption).y + theme.px(part_gap);
    scene.ui.probe.mark("models.weights", rect, all, title);
    float x = rect.x0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const float width = rect.width() * static_cast<float>(entries[i].count / all);
        scene.canvas.fill({x, top, x + std::max(1.0F, width - 1), top + theme.px(part_bar)}, entries[i].color);
        x += width;
        const Rect& at = places[i];
        const float middle = at.centre().y, half = theme.px(5);
        scene.canvas.fill({at.x0, middle - half, at.x0 + 2 * half, middle + half}, entries[i].color);
        scene.canvas.text({at.x0 + theme.px(16), at.y0}, entries[i].words, {Font::caption, theme.palette.text});
        scene.ui.probe.mark(entries[i].id, at, entries[i].count, entries[i].words);
    }
}

}  // namespace

void models_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& open = scene.now.model->config;
    const Config config = shown_config(selection, open);
    const std::optional<std::string> name = name_of_shown(scene, selection);
    const float dials = theme.px(140), words = theme.px(52);
    // Where type is large for the height, the table takes the place of the parts; their numbers are also in the tooltip
    // of the model's button.
    const float wanted = height_of_parts(scene, a, config), line_of_table = scene.canvas.measure("", Font::body).y;
    const bool room = a.height() - dials - words - wanted >= line_of_table * rows_of_table;
    const float parts = room ? wanted : 0;
    draw_model_table(scene, {a.x0, a.y0, a.x1, a.y1 - dials - words - parts}, selection);
    if (room) draw_parts(scene, {a.x0, a.y1 - dials - words - parts, a.x1, a.y1 - dials - words}, config, name);
    const Cost cost = cost_of(config);
    const double share = cost.attention_multiply_adds / cost.multiply_adds;
    const Rect line{a.x0, a.y1 - dials - words, a.x1, a.y1 - dials};
    const std::string numbers = text("models.count", {{"count", whole_count(cost.parameters)}}) + " · " +
                                text("models.share", {{"share", percent_text(share)}}) + " · " +
                                text("models.attention") + " " + short_count(cost.attention_bytes, "B");
    const auto fits = [&](const std::string& whole) {
        return scene.canvas.measure(whole, Font::body).x <= line.width();
    };
    const std::string named = name.value_or(text("models.own")) + ": " + numbers;
    const std::string& told = fits(named) ? named : numbers;  // the bar above has the name, too
    text_line(scene, {line.x0, line.y0 + theme.px(4)}, line.width(), told, fits(told) ? Font::body : Font::caption,
              theme.palette.accent);
    text_line(scene, {line.x0, line.y0 + theme.px(28)}, line.width(), text("models.translation"), Font::caption,
              theme.palette.muted);
    scene.ui.probe.mark("models.share", line, share, told);
    draw_shape_dials(scene, {a.x0, a.y1 - dials + theme.px(8), a.x1, a.y1}, selection);
}

}  // namespace vitrine
