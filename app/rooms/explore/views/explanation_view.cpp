#include <imgui.h>

#include <algorithm>

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

/// The answer without the brightest patch and without the darkest one, in words; `apart`: margin and probability move
/// in opposite directions in one of them, so it says how that can be.
std::string trial_words(const Scene& scene, const WeightTrial& trial, WeightVerdict verdict, bool apart) {
    const Text& text = scene.ui.text;
    const auto margin = [](const ClassReading& reading) { return number_text(reading.margin); };
    const auto probability = [](const AnswerChange& change) { return point_change_text(change.probability()); };
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

/// The trial of the map looked at; null until it has been computed, and for a model without classes.
const WeightTrial* trial_of(const Scene& scene, const Focus& f) {
    const WeightTrial* const trial = scene.now.trial.get();
    return trial != nullptr && trial->map == map_of(f) ? trial : nullptr;
}

/// Text over a width, or its height alone.
float height_of(const Scene& scene, float width, const std::string& words) {
    return measure_rich(scene.canvas, {words, Font::body, {}, Align::left}, width).y;
}

/// The height of the verdict, whatever it will be, so that nothing moves when it is there.
float verdict_height(const Scene& scene, float width, const Focus& f) {
    if (scene.now.model->config.classes == 0) return 0;
    float height = 0;
    const int last = scene.now.model->config.tokens() - 1;
    const ClassReading before{.probability = 1, .margin = -99.9}, now{.margin = -99.9};
    const WeightTrial longest{
        map_of(f), {}, last, last, {.before = before, .now = now}, {.before = before, .now = now}};
    for (const auto& verdict : verdicts)
        height = std::max(height, height_of(scene, width, trial_words(scene, longest, verdict.value, true)));
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

/// Which head's maps are shown, how well they agree, and why that one is shown first.
std::string shown_words(const Scene& scene, const Focus& f, double agree, bool least) {
    return scene.ui.text(least ? "explanation.agree_least" : "explanation.agree",
                         {{"block", scene.ui.ordinal(f.block - 1)},
                          {"head", scene.ui.ordinal(f.head)},
                          {"token", short_token_name(scene.ui, scene.now, f.token)},
                          {"value", number_text(agree)}});
}

/// A switch for the brightest patch, and its effect.
void draw_trial(const Scene& scene, Rect rect, const Selection& selection, WhatIfs& what_ifs) {
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
    if (scene.now.model->config.classes == 0) return;
    const float y = rect.y0 + scene.ui.theme.px(36);
    change_figure(scene.canvas, scene.ui, {rect.x0, y, rect.x1, rect.y1}, {"explanation.effect", scene.now});
}

/// Where the maps, the words about them and the trial are, above the verdict.
struct ExplanationPlaces {
    Rect maps, words, trial;
    bool says_is = true, says_is_not = true;  // left out where type is large for the height: the panel says it
};

/// Words and trial below the maps; or beside them, where the maps are larger that way.
ExplanationPlaces places_of_explanation(const Scene& scene, const Focus& f, double agree, Rect a) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const float gap = theme.px(6), margin = theme.px(12);
    const auto first_in = [&](float width) {
        return height_of(scene, width, shown_words(scene, f, agree, true)) + gap;
    };
    const auto is_in = [&](float width) { return height_of(scene, width, text("explanation.is")) + gap; };
    const auto is_not_in = [&](float width) { return height_of(scene, width, text("explanation.is_not")); };
    const auto trial_in = [&](float width) {
        return theme.px(36) + change_height(scene.canvas, scene.ui, width, ChangeParts::all);
    };
    ExplanationPlaces below;
    const Rect left = columns(a, 0, 0.62F), right = columns(a, 0.66F, 1);
    const float first = first_in(left.width()), is = is_in(left.width()), is_not = is_not_in(left.width());
    const float switched = trial_in(right.width()), least_maps = theme.px(170);  // of the maps with their scales
    below.says_is = a.height() - std::max(first + is + is_not, switched) >= least_maps;
    below.says_is_not = a.height() - std::max(first + is_not, switched) >= least_maps;
    const float top = a.y1 - std::max(first + (below.says_is ? is : 0) + (below.says_is_not ? is_not : 0), switched);
    below.maps = {a.x0, a.y0, a.x1, top - margin};
    below.words = {left.x0, top, left.x1, a.y1};
    below.trial = {right.x0, top, right.x1, a.y1};

    ExplanationPlaces beside;
    beside.maps = columns(a, 0, 0.63F);
    const float rest = a.height() - first_in(right.width()) - switched - margin;
    beside.says_is = rest >= is_in(right.width()) + is_not_in(right.width());
    beside.says_is_not = rest >= is_not_in(right.width());
    beside.trial = {right.x0, a.y1 - switched, right.x1, a.y1};
    beside.words = {right.x0, a.y0, right.x1, beside.trial.y0 - margin};
    const auto side = [&](const ExplanationPlaces& places) {
        return patches_of_map(scene, columns(places.maps, 0, 0.48F)).height();
    };
    return rest >= 0 && side(beside) > side(below) ? beside : below;
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
    const std::string name = short_token_name(scene.ui, scene.now, f.token);
    const std::string weight = text("explanation.weights", {{"token", name}}), &value = text("explanation.moved");
    const std::string curve = f.lab.curve == Curve::root ? "√" : "log";
    const auto with_curve = [&](const std::string& title) {
        return f.lab.curve == Curve::linear ? title
                                            : title + " · " + text("attention.weight_bent_short", {{"curve", curve}});
    };
    // A narrow bar leaves the range out, not what the colours follow.
    const auto shorter = [&](const std::string& title) {
        return f.lab.curve == Curve::linear ? std::string() : curve + " · " + title;
    };
    token_map(scene, columns(places.maps, 0, 0.48F),
              {"explanation.weights",
               with_curve(weight),
               weights,
               {ColourMap::sequential, 0, reach_of(weights), f.lab.curve},
               text("scope.head", {{"head", scene.ui.ordinal(f.head)}}),
               {},
               true,
               shorter(weight),
               weight},
              selection);
    token_map(scene, columns(places.maps, 0.52F, 1),
              {"explanation.moved",
               with_curve(value),
               moved,
               {ColourMap::sequential, 0, reach_of(moved), f.lab.curve},
               text("scope.head", {{"head", scene.ui.ordinal(f.head)}}),
               {},
               true,
               shorter(value),
               value},
              selection);

    const Rect& left = places.words;
    const float first = height_of(scene, left.width(), shown_words(scene, f, agree, true)) + gap;
    const float is = places.says_is ? height_of(scene, left.width(), text("explanation.is")) + gap : 0;
    const WeightTrial* const trial = trial_of(scene, f);
    const bool opening_query = f.token == scene.now.model->config.first_of(TokenKind::class_token).value_or(f.token);
    const bool least = trial != nullptr && trial->least == trial->map.at && opening_query && what_ifs.empty();
    const std::string agreement = shown_words(scene, f, agree, least);
    const Rect shown{left.x0, left.y0, left.x1, left.y0 + first};
    text_block(scene, shown, agreement);
    scene.ui.probe.mark("explanation.agree", shown, agree, agreement);
    if (places.says_is) text_block(scene, {left.x0, shown.y1, left.x1, left.y1}, text("explanation.is"));
    if (places.says_is_not) text_block(scene, {left.x0, shown.y1 + is, left.x1, left.y1}, text("explanation.is_not"));
    draw_trial(scene, places.trial, selection, what_ifs);
    draw_verdict(scene, {a.x0, a.y1 - verdict, a.x1, a.y1}, f);
}

}  // namespace vitrine
