#include <imgui.h>

#include <algorithm>
#include <numeric>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/rooms/laboratory/laboratory_panel.h"
#include "app/rooms/panels/choices.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/text_field.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/words_measured.h"

namespace vitrine {

namespace {

/// Indices of the texts, nearest to the image first.
std::vector<std::size_t> nearest_first(const WordsMeasured& w) {
    std::vector<std::size_t> order(w.texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return w.nearness.logit[i]; });
    return order;
}

/// The map of the cosines between one text and each patch, over the picture.
void draw_nearness_map(const LabScene& lab, Rect map, std::size_t text, Selection& selection) {
    const Ui& ui = lab.scene.ui;
    const WordsMeasured& w = *lab.measured.words;
    const std::span<const float> cosines{&w.nearness.patches(text, 0), w.nearness.patches.shape()[1]};
    const auto [least, most] = std::ranges::minmax(cosines);
    const ColourScale scale{ColourMap::sequential, -selection.reach("words.least", -least),
                            selection.reach("words.most", most)};
    patch_map(lab, map, {"words.map", cosines, scale, true, "cos"}, selection);
    const float wide = ui.theme.px(300);
    bar_of_both(lab, {map.x0, map.y1 + ui.theme.px(8), std::max(map.x1, map.x0 + wide), lab.scene.area.y1},
                {scale, ui.text("lab.words.caption"), ui.text("lab.words.scope")});
}

/// Below the reason why texts cannot be compared: the button that leads to models with a text tower.
void offer_model(const LabScene& lab, const std::string& reason) {
    const Ui& ui = lab.scene.ui;
    const Rect& a = lab.scene.area;
    const float width = std::min(a.width(), ui.theme.px(620));
    const float below = measure_rich(lab.scene.canvas, {reason, Font::body, {}, Align::left}, width).y;
    ImGui::SetCursorScreenPos({a.x0, a.y0 + below + ui.theme.px(14)});
    if (button(ui, {"words.get_model", ui.text("browser.get_model"), ui.text("browser.get_model_tip"), {}},
               {Emphasis::primary}))
        lab.asked = "get_model";
}

}  // namespace

void words_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Rect& a = scene.area;
    if (!lab.measured.words) return report_missing(lab);
    const WordsMeasured& w = *lab.measured.words;
    if (!w.refused.empty() || w.texts.empty()) {
        const bool bundled = scene.now.model->provenance.path.empty();  // no bundled model has a text tower
        const std::string words = w.refused.empty() ? ui.text("lab.words.empty")
                                  : bundled         ? ui.text("two_towers.none")
                                                    : ui.text("lab.words.refused", {{"why", w.refused}});
        ui.probe.mark("words.none", a, 0, words);
        say(lab, words);
        if (!w.refused.empty() && !ui.bare) offer_model(lab, words);
        return;
    }
    const std::size_t chosen = std::min(static_cast<std::size_t>(selection.focus.lab.text), w.texts.size() - 1);
    const Rect figure = fit({a.x0, a.y0, a.x0 + a.width() * 0.5F, a.y1 - theme.px(74)}, grid_aspect(lab));
    const Rect map{a.x0, a.y0, a.x0 + figure.width(), a.y0 + figure.height()};
    draw_nearness_map(lab, map, chosen, selection);

    const Rect right{std::max(map.x1, a.x0 + theme.px(300)) + theme.px(28), a.y0, a.x1, a.y1};
    std::vector<std::size_t> order = nearest_first(w);
    const float pitch = bar_row_rect(ui, right, 1).y0 - bar_row_rect(ui, right, 0).y0;
    const auto fitting = static_cast<std::size_t>(std::max(1.0F, (right.height() - theme.px(110)) / pitch));
    order.resize(std::min(order.size(), fitting));
    std::vector<BarRow> rows;
    for (const std::size_t i : order) rows.push_back({w.texts[i], static_cast<double>(w.nearness.probability[i]), {}});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Rect place = bar_row_rect(ui, right, static_cast<int>(row));
        const std::string number = std::to_string(order[row]);
        const Rect around{place.x0 - theme.px(7), place.y0 - theme.px(4), place.x1 + theme.px(7), place.y1};
        if (order[row] == chosen && !scene.ui.bare)
            scene.canvas.stroke(around, theme.palette.accent, theme.px(1), theme.px(4));
        if (hot_area(ui, "words.choose." + number, place, rows[row].label).clicked)
            selection.focus.lab.text = static_cast<int>(order[row]);
        ui.probe.mark("words.text." + number, place, rows[row].value, rows[row].label);
    }
    const float height = bar_list(scene.canvas, ui, right, {rows, 1.0, BarUnit::fraction, theme.palette.accent});
    const std::string numbers = ui.text(w.each_alone ? "lab.words.numbers.sigmoid" : "lab.words.numbers.softmax",
                                        {{"text", w.texts[chosen]},
                                         {"cosine", number_text(static_cast<double>(w.nearness.cosine[chosen]))},
                                         {"logit", number_text(static_cast<double>(w.nearness.logit[chosen]))}});
    text_block(scene, {right.x0, right.y0 + height + theme.px(14), right.x1, right.y1}, numbers);
    ui.probe.mark("words.cosine", right, static_cast<double>(w.nearness.cosine[chosen]), numbers);
}

void words_controls(const LabControls& controls) {
    const Ui& ui = controls.explanation.ui;
    const Measured* const measured = controls.measured;
    if (controls.alone && measured != nullptr && measured->words && !measured->words->refused.empty()) return;
    Laboratory& lab = controls.explanation.selection.focus.lab;
    control_label(ui, ui.text("lab.texts"));
    std::string typed = lab.texts;
    const bool changed = text_field(ui, "lab.texts", typed, {ui.theme.px(150), ui.text("lab.texts_hint"), true});
    if (changed && typed.size() <= most_bytes_of_texts) lab.texts = typed;
    brightness_slider(ui, controls.explanation.selection);
}

}  // namespace vitrine
