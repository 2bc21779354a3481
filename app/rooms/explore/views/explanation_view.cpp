#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/chapters/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/weight_agreement.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

constexpr Named<WeightVerdict> verdicts[] = {{WeightVerdict::matters, "matters"},
                                             {WeightVerdict::hardly_matters, "hardly_matters"},
                                             {WeightVerdict::no_more_than_dark, "no_more_than_dark"},
                                             {WeightVerdict::less_than_dark, "less_than_dark"}};

std::string weight_words(const Scene& scene, const PlacedMap& map, int token) {
    const auto block = scene.now.baseline.block(map.at.block);
    return percent_text(
        static_cast<double>(attention_row(*block, map.at.head, map.query)[static_cast<std::size_t>(token)]));
}

/// Describes the answer without the brightest patch and without the darkest one. `apart`: in one of them margin and
/// probability move in opposite directions, which the words explain.
std::string trial_words(const Scene& scene, const WeightTrial& trial, WeightVerdict verdict, bool apart) {
    const Text& text = scene.ui.text;
    const auto margin = [](const ClassReading& reading) { return number_text(reading.margin); };
    const auto probability = [&](const AnswerChange& change) {
        const std::string& unit = text("glossary.pp");
        return std::abs(change.probability()) < next_to_nothing
                   ? point_change_text(change.probability(), unit)
                   : share_change_text(change.before.probability, change.now.probability, unit);
    };
    return text("explanation.verdict." + std::string(name_in(verdicts, verdict))) + " " +
           text("explanation.tried",
                {{"bright", short_token_name(scene.ui, scene.now, trial.bright)},
                 {"weight", weight_words(scene, trial.map, trial.bright)},
                 {"class", class_in_words(scene.ui, *scene.now.model, trial.without_bright.chosen)},
                 {"margin", margin(trial.without_bright.before)},
                 {"now", margin(trial.without_bright.now)},
                 {"change", probability(trial.without_bright)},
                 {"dark", short_token_name(scene.ui, scene.now, trial.dark)},
                 {"dark_weight", weight_words(scene, trial.map, trial.dark)},
                 {"dark_now", margin(trial.without_dark.now)},
                 {"dark_change", probability(trial.without_dark)}}) +
           (apart ? " " + text("explanation.apart") : "");
}

bool moves_apart(const WeightTrial& trial) {
    return margin_against_probability(trial.without_bright) || margin_against_probability(trial.without_dark);
}

/// The trial of the map in view; null until it has been computed, and for a model without classes.
const WeightTrial* trial_of(const Scene& scene, const Focus& f) {
    const WeightTrial* const trial = scene.now.trial.get();
    return trial != nullptr && trial->map == map_of(f) ? trial : nullptr;
}

/// The height of text that is wrapped to a width.
float height_of(const Scene& scene, float width, const std::string& words) {
    return measure_rich(scene.canvas, {words, Font::body, {}, Align::left}, width).y;
}

/// The largest height that any verdict needs, so that nothing moves when it appears. The rare words on margin and
/// probability count only once they are needed.
float verdict_height(const Scene& scene, float width, const Focus& f) {
    if (scene.now.model->config.classes == 0) return 0;
    float height = 0;
    const WeightTrial* const trial = trial_of(scene, f);
    const bool apart = trial != nullptr && moves_apart(*trial);
    const int last = scene.now.model->config.tokens() - 1;
    const ClassReading before{.probability = 1, .margin = -99.9}, now{.margin = -99.9};
    const WeightTrial longest{map_of(f), {}, last, last, {.before = before, .now = now}, {.before = before, .now = now},
                              {}};
    for (const auto& verdict : verdicts)
        height = std::max(height, height_of(scene, width, trial_words(scene, longest, verdict.value, apart)));
    return height;
}

void draw_verdict(const Scene& scene, Rect rect, const Focus& f) {
    if (scene.now.model->config.classes == 0) return;
    const WeightTrial* const trial = trial_of(scene, f);
    const std::string words = trial != nullptr ? trial_words(scene, *trial, verdict_of(*trial), moves_apart(*trial))
                                               : scene.ui.text("lab.measuring");
    text_block(scene, rect, words);
    scene.ui.probe.mark("explanation.verdict", rect, trial != nullptr ? trial->without_bright.margin() : 0, words);
}

constexpr double longest_rank = -0.9999;

/// Says which head's maps are shown, how well they agree and, if `least`, why it is shown first; then `drops`, the rank
/// correlation of weights and drops in the margin, in the run without what-ifs; NaN until it is computed.
std::string shown_words(const Scene& scene, const Focus& f, double agree, bool least, double drops) {
    const Text& text = scene.ui.text;
    const std::string moved = text(least ? "explanation.agree_least" : "explanation.agree",
                                   {{"block", scene.ui.ordinal(f.block - 1)},
                                    {"head", scene.ui.ordinal(f.head)},
                                    {"token", short_token_name(scene.ui, scene.now, f.token)},
                                    {"value", number_text(agree)}});
    if (!can_try_every_token(scene.now.model->config)) return moved;
    if (std::isnan(drops)) return moved + " " + text("explanation.drops_measuring");
    const bool changed = !least && !scene.now.experiment.what_ifs.empty();
    return moved + " " +
           text(changed ? "explanation.drops_agree_unchanged" : "explanation.drops_agree",
                {{"value", number_text(drops)}});
}

/// Number of maps in a row.
int maps_of(const Scene& scene) { return scene.now.model->config.classes > 0 ? 3 : 2; }

/// The rectangle of map `i` in the row.
Rect place_of_map(const Scene& scene, Rect maps, int i) {
    const auto count = static_cast<float>(maps_of(scene));
    constexpr float gap = 0.04F;
    const float width = (1 - gap * (count - 1)) / count, left = static_cast<float>(i) * (width + gap);
    return columns(maps, left, left + width);
}

/// A title with the curve of the colours, and a symbol with the curve for maps with less room.
struct CurvedTitle {
    std::string title, shorter;
};
CurvedTitle with_curve(const Ui& ui, Curve curve, const std::string& title, const std::string& symbol) {
    if (curve == Curve::linear) return {title, symbol == title ? std::string() : symbol};
    const std::string sign = curve == Curve::root ? "√" : "log";
    return {title + " · " + ui.text("attention.weight_bent_short", {{"curve", sign}}), sign + " · " + symbol};
}

/// Draws one head's weights, or the lengths of its weighted values; `id` is also the title's key.
void draw_weights(const Scene& scene, Rect rect, const char* id, std::span<const float> values, Selection& selection) {
    const Focus& f = selection.focus;
    const std::string title = scene.ui.text(id);
    const CurvedTitle curved = with_curve(scene.ui, f.lab.curve, title, title);
    token_map(scene, rect,
              {id,
               curved.title,
               values,
               {ColourMap::sequential, 0, reach_of(values), f.lab.curve},
               scene.ui.text("scope.head", {{"head", scene.ui.ordinal(f.head)}}),
               {},
               true,
               curved.shorter,
               title},
              selection);
}

/// Draws the drop in the margin without each patch, or a note for a model that is too large to compute it.
void draw_drops(const Scene& scene, Rect rect, const WeightTrial* trial, Selection& selection) {
    const Ui& ui = scene.ui;
    const Config& c = scene.now.model->config;
    if (trial == nullptr || !trial->drops) {
        const std::string words = ui.text(can_try_every_token(c) ? "lab.measuring" : "explanation.drops_elsewhere");
        const Rect place = patches_of_map(scene, rect);
        scene.canvas.fill(place, ui.theme.palette.raised, ui.theme.px(4));
        text_block(scene, place.inset(ui.theme.px(8)), words, Font::caption);
        return ui.probe.mark("explanation.drops.none", place, 0, words);
    }
    const std::string name = class_in_words(ui, *scene.now.model, trial->without_bright.chosen);
    const std::string title =
        ui.text("scale.orange", {{"caption", ui.text("occlusion.caption.margin", {{"class", name}})}});
    const std::string symbol = ui.text("occlusion.symbol.margin");
    const std::string coloured = ui.text("scale.orange_drop", {{"symbol", symbol}});
    const Curve curve = selection.focus.lab.curve == Curve::linear ? Curve::linear : Curve::root;
    CurvedTitle curved = with_curve(ui, curve, title, coloured);
    if (scene.canvas.measure(curved.shorter, Font::caption).x > width_of_map_bar(scene, rect))
        curved = with_curve(ui, curve, title, symbol);
    const float reach = reach_of(c.patches_of(*trial->drops));
    token_map(scene, rect,
              {"explanation.drops",
               curved.title,
               *trial->drops,
               {ColourMap::diverging, -reach, reach, curve},
               {},
               {},
               false,
               curved.shorter,
               symbol},
              selection);
}

/// Draws a switch for the brightest patch, and its effect.
void draw_trial(const Scene& scene, Rect rect, bool shows_effect, const Selection& selection, WhatIfs& what_ifs) {
    const Text& text = scene.ui.text;
    const int token = brightest_patch(scene.now.model->config, scene.now.baseline, map_of(selection.focus));
    const Intervention removal = remove_token(token);
    bool off = contains(what_ifs, removal);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    if (vitrine::toggle(scene.ui,
                        {"explanation.remove",
                         text("explanation.remove", {{"token", short_token_name(scene.ui, scene.now, token)}}),
                         text("explanation.remove_tip"),
                         {}},
                        off))
        toggle(what_ifs, removal);
    if (scene.now.model->config.classes == 0 || !shows_effect) return;
    const float y = rect.y0 + scene.ui.theme.px(36);
    change_figure(scene.canvas, scene.ui, {rect.x0, y, rect.x1, rect.y1}, {"explanation.effect", scene.now});
}

/// The optional parts below the maps, omitted from the first on if maps would be small: the panel has them, too.
struct ExplanationParts {
    bool says_is, shows_effect, says_is_not;
};
constexpr ExplanationParts choices_of_parts[] = {
    {true, true, true}, {false, true, true}, {false, false, true}, {false, false, false}};

/// Rectangles above the verdict: the maps, and below them the words and the trial, side by side.
struct ExplanationPlaces {
    Rect maps, words, trial;
    ExplanationParts parts;
};

ExplanationPlaces places_of_explanation(const Scene& scene, const Focus& f, double agree, Rect a) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    constexpr float large = 0.9F;  // least side of the maps, as a share of the side that the width allows
    const float gap = theme.px(6);
    const Rect left = columns(a, 0, 0.62F), right = columns(a, 0.66F, 1);
    const auto height_in_words = [&](const std::string& words) { return height_of(scene, left.width(), words) + gap; };
    const float shown = height_in_words(shown_words(scene, f, agree, true, longest_rank));
    const float is = height_in_words(text("explanation.is")), is_not = height_in_words(text("explanation.is_not"));
    const float effect = change_height(scene.canvas, scene.ui, right.width(), ChangeParts::all);
    const auto placed = [&](const ExplanationParts& parts) {
        const float words = shown + (parts.says_is ? is : 0) + (parts.says_is_not ? is_not : 0);
        const float top = a.y1 - std::max(words, theme.px(36) + (parts.shows_effect ? effect : 0));
        return ExplanationPlaces{
            {a.x0, a.y0, a.x1, top - gap}, {left.x0, top, left.x1, a.y1}, {right.x0, top, right.x1, a.y1}, parts};
    };
    const auto side = [&](const Rect& maps) { return patches_of_map(scene, place_of_map(scene, maps, 0)).height(); };
    const float most = side({a.x0, a.y0, a.x1, a.y0 + 2 * a.width()});
    const auto found = std::ranges::find_if(
        choices_of_parts, [&](const ExplanationParts& parts) { return side(placed(parts).maps) >= large * most; });
    return placed(found != std::end(choices_of_parts) ? *found : *std::rbegin(choices_of_parts));
}

}  // namespace

void explanation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Focus& f = selection.focus;
    const auto t = block_of(scene, selection);
    const std::span<const float> weights = attention_row(*t, f.head, f.token);
    const std::vector<float> moved = value_weighted_norms(*t, f.head, f.token);
    const double agree = rank_correlation(weights, moved);
    const float gap = theme.px(6), verdict = verdict_height(scene, a.width(), f);
    const ExplanationPlaces places = places_of_explanation(scene, f, agree, {a.x0, a.y0, a.x1, a.y1 - verdict - gap});
    const WeightTrial* const trial = trial_of(scene, f);
    draw_weights(scene, place_of_map(scene, places.maps, 0), "explanation.weights", weights, selection);
    draw_weights(scene, place_of_map(scene, places.maps, 1), "explanation.moved", moved, selection);
    if (maps_of(scene) > 2) draw_drops(scene, place_of_map(scene, places.maps, 2), trial, selection);

    const Rect& left = places.words;
    const float is = places.parts.says_is ? height_of(scene, left.width(), text("explanation.is")) + gap : 0;
    const bool opening_query = f.token == scene.now.model->config.first_of(TokenKind::class_token).value_or(f.token);
    const bool least = trial != nullptr && trial->least == trial->map.at && opening_query && what_ifs.empty();
    const double drops = trial != nullptr && trial->drops
                             ? rank_of_drops(*trial, scene.now.model->config, scene.now.baseline)
                             : std::numeric_limits<double>::quiet_NaN();
    const std::string agreement = shown_words(scene, f, agree, least, drops);
    // The height of the longest words, so that nothing moves.
    const float first = height_of(scene, left.width(), shown_words(scene, f, agree, true, longest_rank)) + gap;
    const Rect shown{left.x0, left.y0, left.x1, left.y0 + first};
    text_block(scene, shown, agreement);
    scene.ui.probe.mark("explanation.agree", shown, agree, agreement);
    if (places.parts.says_is) text_block(scene, {left.x0, shown.y1, left.x1, left.y1}, text("explanation.is"));
    if (places.parts.says_is_not)
        text_block(scene, {left.x0, shown.y1 + is, left.x1, left.y1}, text("explanation.is_not"));
    draw_trial(scene, places.trial, places.parts.shows_effect, selection, what_ifs);
    draw_verdict(scene, {a.x0, a.y1 - verdict, a.x1, a.y1}, f);
}

}  // namespace vitrine
