#include "app/rooms/laboratory/laboratory_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/chapter.h"
#include "app/chapters/model_words.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/rooms/laboratory/token_figures.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/reference_rows.h"
#include "app/rooms/panels/scrolling_parts.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"
#include "core/training/own_pictures.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

void quiet_words(const Ui& ui, const std::string& markup) {
    paragraph(ui, {markup, Font::caption, ui.theme.palette.muted, Align::left});
}

/// The equation of the picture. `id` is the id of the instrument or of one of its figures.
void equation_of(const Explanation& e, const std::string& id) {
    const std::string usual = "lab." + id + ".formula",
                      formula = key_for(e.ui.text, usual, e.now.model->config);  // "….formula.pooled"
    std::string equation = "lab_" + id + formula.substr(usual.size());
    std::ranges::replace(equation, '.', '_');
    equation_item(e.ui, e.selection, {equation, e.ui.text(formula)});
}

/// The explanation for the shown model's structure, and its source.
void about(const Explanation& e, const std::string& id, Commands& commands) {
    const Ui& ui = e.ui;
    ImGui::Dummy({1, ui.theme.px(6)});
    linked_paragraph(ui, "words", ui.text(key_for(ui.text, "lab." + id + ".words", e.now.model->config)), commands);
    const RichText source{ui.text("lab." + id + ".source"), Font::caption, ui.theme.palette.muted, Align::left};
    linked_paragraph(ui, {"source", source, false}, commands);
}

/// Width of a button with a label, px.
float width_of_button(const Ui& ui, const std::string& words) {
    return WindowCanvas(ImGui::GetWindowDrawList(), ui).measure(words, Font::body).x + ui.theme.px(30);
}

/// The slider for the end of a fixed range.
void fixed_range_slider(const Ui& ui, Focus& focus) {
    if (focus.scope != Scope::fixed) return;
    float power = std::log10(std::max(1e-3F, focus.lab.fixed_high));
    const auto words = [](float p) { return number_text(std::pow(10.0, static_cast<double>(p))); };
    if (slider(ui, {"lab.fixed_high", ui.text("lab.fixed_high"), ui.text("lab.fixed_high_tip"), {}},
               {-3, 0, 0.05F, words}, power))
        focus.lab.fixed_high = std::pow(10.0F, power);
}

/// Range, curve, and the end of a fixed range.
enum class Curves { all, of_signed, none };
void scale_controls(const Ui& ui, Focus& focus, Curves curves = Curves::all) {
    Scope range = range_in_view(focus.lab, focus.scope);
    if (choice(ui, "lab.scope", ranges_of(focus.lab), range)) focus.scope = range;
    fixed_range_slider(ui, focus);
    if (curves == Curves::all) choice(ui, "lab.curve", curve_names, focus.lab.curve_in_view());
    if (curves != Curves::of_signed) return;
    Curve& curve = focus.lab.curve_in_view();
    Curve of_signed = curve == Curve::linear ? Curve::linear : Curve::root;
    if (choice(ui, "lab.curve", std::span<const Named<Curve>>(curve_names).first(2), of_signed)) curve = of_signed;
}

/// The offered classes: those that match the typed text, or the most probable ones; always with the chosen class.
std::vector<int> classes_offered(const Explanation& e, int chosen, const std::string& typed) {
    constexpr int offered = 5;
    const Config& c = e.now.model->config;
    std::vector<int> classes;
    if (typed.empty()) {
        for (const Prediction& p : top_predictions(*e.now.trace.head, offered)) classes.push_back(p.index);
    } else {
        for (int i = 0; i < c.classes && static_cast<int>(classes.size()) < offered; ++i)
            if (matches(class_name(e.ui, *e.now.model, i), typed)) classes.push_back(i);
    }
    if (std::find(classes.begin(), classes.end(), chosen) == classes.end()) classes.push_back(chosen);
    return classes;
}

/// The controls for the target class and, with `rivals`, for a class to compare it with.
void class_controls(const Explanation& e, Drafts& drafts, bool rivals) {
    const Ui& ui = e.ui;
    const Model& model = *e.now.model;
    if (model.config.classes == 0) return;
    Laboratory& lab = e.selection.focus.lab;
    const Target target = target_of(lab, e.now);
    control_label(ui, ui.text("lab.class"));
    if (model.config.classes > 6) {
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##class", ui.text("lab.class_hint").c_str(), drafts.class_text.data(),
                                 drafts.class_text.size());
        ui.probe.mark_item("lab.class_text", 0);
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        focus_of_text_field(ui, canvas, "lab.class_text");
    }
    for (const int i : classes_offered(e, target.index, drafts.class_text.data())) {
        const std::string id = "lab.class." + std::to_string(i);
        const bool chosen = i == target.index, rival = target.against == i;
        const std::string words =
            class_name(ui, model, i) + "   " +
            probability_text(static_cast<double>(e.now.trace.head->probabilities(0, static_cast<std::size_t>(i))));
        const float side = rivals ? ui.theme.px(64) : 0;
        const float width = ImGui::GetContentRegionAvail().x - side - (rivals ? ui.theme.px(6) : 0);
        if (button(ui, {id, words, ui.text("lab.class_tip"), {}},
                   {chosen ? Emphasis::primary : Emphasis::quiet, {}, width, true}))
            lab.target = i;
        if (!rivals) continue;
        ImGui::SameLine(0, ui.theme.px(6));
        if (button(ui, {id + ".against", ui.text("lab.versus"), ui.text("lab.versus_tip"), {}, !chosen},
                   {rival ? Emphasis::primary : Emphasis::quiet, {}, side}))
            lab.against = rival ? std::nullopt : std::optional(i);
    }
    if (lab.target &&
        button(ui, {"lab.class.predicted", ui.text("lab.class_predicted"), ui.text("lab.class_predicted_tip"), {}},
               {Emphasis::plain, {}, -1}))
        lab.target.reset();
}

/// The first and the last block of a range.
void block_range_controls(const Ui& ui, RolloutOptions& o, int blocks) {
    const auto words = [](float p) { return std::to_string(std::lround(p)); };
    const BlockRange range = block_range(o.first_block, o.last_block, blocks);
    float first = static_cast<float>(range.first), last = static_cast<float>(range.last);
    const SliderRange all{1, static_cast<float>(blocks), 1, words};
    if (slider(ui, {"lab.first_block", ui.text("lab.first_block"), ui.text("lab.first_block_tip"), {}}, all, first))
        o.first_block = std::min(static_cast<int>(std::lround(first)), range.last);
    if (slider(ui, {"lab.last_block", ui.text("lab.last_block"), ui.text("lab.last_block_tip"), {}}, all, last)) {
        const int chosen = std::max(static_cast<int>(std::lround(last)), range.first);
        o.last_block = chosen == blocks ? 0 : chosen;
    }
}

/// The slider of the level ℓ = 0 … L; returns true if it was moved.
bool level_slider(const Explanation& e, int& chosen) {
    const int blocks = e.now.model->config.blocks;
    float level = static_cast<float>(chosen);
    const auto words = [](float p) { return "ℓ = " + std::to_string(std::lround(p)); };
    const bool moved = slider(e.ui, {"lab.level", e.ui.text("lab.level"), e.ui.text("lab.level_tip"), {}},
                              {0, static_cast<float>(blocks), 1, words}, level);
    chosen = static_cast<int>(std::lround(level));
    return moved;
}

}  // namespace

void control_label(const Ui& ui, const std::string& words) {
    ImGui::Dummy({1, ui.theme.px(3)});
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetColorU32(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopStyleColor();
}

void gallery_controls(const LabControls& c) {
    const Explanation& e = c.explanation;
    const Measured* const measured = c.measured;
    const Ui& ui = e.ui;
    Focus& focus = e.selection.focus;
    std::vector<Named<HeadOrder>> orders(std::begin(head_order_names), std::end(head_order_names));
    if (!e.now.model->config.first_of(TokenKind::class_token))
        std::erase_if(orders, [](const auto& order) { return order.value == HeadOrder::class_share; });
    choice(ui, "lab.order", std::span<const Named<HeadOrder>>(orders), focus.lab.order, 2);
    if (focus.lab.order == HeadOrder::object_share && measured != nullptr && measured->statistics &&
        !measured->object_share)
        quiet_words(ui, ui.text("lab.no_object"));
    if (focus.lab.order == HeadOrder::similarity)
        quiet_words(ui, ui.text("lab.groups", {{"count", std::to_string(head_groups)}}));
    scale_controls(ui, focus);
    control_label(ui, ui.text("lab.picks", {{"count", std::to_string(focus.lab.picks.size())}}));
    const bool picked = focus.lab.picked(focus.block, focus.head);
    if (button(ui,
               {"lab.pick",
                ui.text(picked ? "lab.unpick" : "lab.pick", {{"name", head_name(ui, focus.block, focus.head)}}),
                ui.text("lab.pick_tip"), "P"},
               {Emphasis::plain, {}, -1}))
        focus.lab.toggle_pick(focus.block, focus.head);
    if (!focus.lab.picks.empty() &&
        button(ui, {"lab.compare", ui.text("lab.compare_picks"), ui.text("lab.compare_tip"), {}},
               {Emphasis::primary, {}, -1}))
        focus.lab.instrument = Instrument::compare;
}

void compare_controls(const LabControls& c) {
    const Explanation& e = c.explanation;
    const Ui& ui = e.ui;
    Focus& focus = e.selection.focus;
    Laboratory& lab = focus.lab;
    control_label(ui, ui.text("lab.picks", {{"count", std::to_string(lab.picks.size())}}));
    // A pinned head may appear again with another query.
    const bool there = std::ranges::any_of(
        lab.picks, [&](const Pick& p) { return p.block == focus.block && p.head == focus.head && !p.query; });
    const Control add{"lab.add",
                      ui.text("lab.add", {{"name", head_name(ui, focus.block, focus.head)}}),
                      ui.text(there ? "lab.add_there" : "lab.add_tip"),
                      {},
                      !there && lab.picks.size() < most_picks};
    if (button(ui, add, {Emphasis::plain, {}, -1})) lab.picks.push_back({focus.block, focus.head, {}});
    if (!lab.picks.empty() && !lab.picked(focus.block, focus.head)) {
        quiet_words(ui, ui.text("lab.picks_stay"));
        ui.probe.mark_item("lab.picks_stay", static_cast<double>(lab.picks.size()), ui.text("lab.picks_stay"));
    }
    const int heads = e.now.model->config.heads;
    const Control block{"lab.whole_block",
                        ui.text("lab.whole_block", {{"block", ui.ordinal(focus.block - 1)}}),
                        ui.text("lab.whole_block_tip"),
                        {}};
    const Control clear{"lab.clear", ui.text("lab.clear"), ui.text("lab.clear_tip"), {}, !lab.picks.empty()};
    const float gap = ui.theme.px(6), room = ImGui::GetContentRegionAvail().x;
    const float for_clear = width_of_button(ui, clear.words);
    const bool beside = width_of_button(ui, block.words) + gap + for_clear <= room;
    if (button(ui, block, {Emphasis::plain, {}, beside ? room - gap - for_clear : -1})) {
        lab.picks.clear();
        for (int head = 0; head < std::min(heads, static_cast<int>(most_side_by_side)); ++head)
            lab.picks.push_back({focus.block, head, {}});
    }
    if (beside) ImGui::SameLine(0, gap);
    if (button(ui, clear, {Emphasis::quiet, {}, -1})) lab.picks.clear();
    choice(ui, "lab.combine", combine_names, lab.combine, 3);
    const bool two_sided = lab.combine == Combine::difference || lab.combine == Combine::uniform;
    scale_controls(ui, focus, two_sided ? Curves::of_signed : Curves::all);
    brightness_slider(ui, c.explanation.selection);
}

void statistics_controls(const LabControls& c) {
    scale_controls(c.explanation.ui, c.explanation.selection.focus);
    brightness_slider(c.explanation.ui, c.explanation.selection);
}

void depth_controls(const LabControls& c) {
    const Explanation& e = c.explanation;
    const Ui& ui = e.ui;
    Focus& focus = e.selection.focus;
    Laboratory& lab = focus.lab;
    choice(ui, "lab.method", depth_method_names, lab.method);
    const std::optional<int> class_token = c.explanation.now.model->config.first_of(TokenKind::class_token);
    if (class_token && focus.token != *class_token &&
        button(ui, {"lab.class_token", ui.text("lab.class_token"), ui.text("lab.class_token_tip"), {}},
               {Emphasis::plain, {}, -1}))
        focus.token = *class_token;
    if (lab.method == DepthMethod::rollout) {
        choice(ui, "lab.fusion", head_fusion_names, lab.rollout.fusion);
        const auto share = [](float p) { return percent_text(static_cast<double>(p)); };
        const auto rounded = [](float p) { return std::round(p * 20) / 20; };
        float residual = lab.rollout.residual, discard = lab.rollout.discard;
        if (slider(ui, {"lab.residual", ui.text("lab.residual"), ui.text("lab.residual_tip"), {}}, {0, 1, 0.05F, share},
                   residual))
            lab.rollout.residual = rounded(residual);
        if (slider(ui, {"lab.discard", ui.text("lab.discard"), ui.text("lab.discard_tip"), {}},
                   {0, 0.95F, 0.05F, share}, discard))
            lab.rollout.discard = rounded(discard);
    } else {
        class_controls(e, c.drafts, true);
    }
    block_range_controls(ui, lab.rollout, e.now.model->config.blocks);
    scale_controls(ui, focus);
    brightness_slider(ui, e.selection);
}

void tokens_controls(const LabControls& c) {
    const Explanation& e = c.explanation;
    Focus& focus = e.selection.focus;
    choice(e.ui, "lab.figure", token_figure_names, focus.lab.figure, 3);
    const TokenRow& row = row_of(focus.lab.figure);
    int level = token_level(focus, e.now.model->config.blocks);
    if (row.by_level && level_slider(e, level)) choose_token_level(focus, level);
    if (row.by_scope) scale_controls(e.ui, focus);
}

void lens_controls(const LabControls& c) {
    class_controls(c.explanation, c.drafts, true);
    const int blocks = c.explanation.now.model->config.blocks;
    int& kept = c.explanation.selection.focus.lab.level;
    int level = kept < 0 ? blocks : std::min(kept, blocks);
    if (level_slider(c.explanation, level)) kept = level == blocks ? -1 : level;
    scale_controls(c.explanation.ui, c.explanation.selection.focus);
    brightness_slider(c.explanation.ui, c.explanation.selection);
}

void ledger_controls(const LabControls& c) { class_controls(c.explanation, c.drafts, true); }

void occlusion_controls(const LabControls& controls) {
    const Explanation& e = controls.explanation;
    const Ui& ui = e.ui;
    Laboratory& lab = e.selection.focus.lab;
    const Config& c = e.now.model->config;
    const float most = static_cast<float>(std::min(c.grid_height(), c.grid_width()) / 2);
    const auto words = [&](float p) {
        const std::string n = std::to_string(std::lround(p));
        return n + " × " + n;
    };
    float size = static_cast<float>(lab.cover_size);
    if (slider(ui, {"lab.cover_size", ui.text("lab.cover_size"), ui.text("lab.cover_size_tip"), {}},
               {1, std::max(2.0F, most), 1, words}, size))
        lab.cover_size = static_cast<int>(std::lround(size));
    choice(ui, "lab.cover", cover_names, lab.cover, 2);
    choice(ui, "lab.watched", watched_names, lab.watched, 2);
    class_controls(e, controls.drafts, false);
    scale_controls(ui, e.selection.focus, Curves::none);
    brightness_slider(ui, e.selection);
}

void laboratory_panel(const Frame& frame, const Measured* measured) {
    const Explanation e = explanation_of(frame);
    const auto draw = [&] {
        const Laboratory& lab = e.selection.focus.lab;
        begin_part("controls");
        equation_of(e, subject_of(lab));
        row_of(lab.instrument)
            .controls({e, measured, frame.panel.drafts, frame.what_ifs, frame.commands(), frame.other == nullptr});
        begin_part("words");
        about(e, subject_of(lab), frame.commands());
        const std::string place = "lab." + subject_of(lab);
        if (!references_of(place).empty() && foldable(e.ui, "references", frame.panel))
            reference_rows(e.ui, place, frame.commands());
    };
    above_prediction(frame, {.draw = draw});
}

void laboratory_tabs(const Ui& ui, Laboratory& lab) {
    std::vector<Control> tabs;
    std::string before;
    for (const auto& [instrument, id] : instrument_names) {
        const std::string name = id, group = row_of(instrument).group;
        tabs.push_back({.id = "lab.tab." + name,
                        .words = ui.text("lab.tab." + name),
                        .tip = ui.text("lab." + name + ".title"),
                        .key = "← →",
                        .group = group != before ? ui.text("lab.group." + group) : ""});
        before = group;
    }
    int chosen = place_of(lab.instrument);
    if (segmented(ui, tabs, chosen)) lab.instrument = instrument_names[chosen].value;
}

}  // namespace vitrine
