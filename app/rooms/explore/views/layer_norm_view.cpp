#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/chapters/shown_norm.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"

namespace vitrine {

namespace {

constexpr float outlier_limit = 3.0F;
constexpr int feature_bins = 24;      // over a stage's range
constexpr float least_map = 210;      // width with the text of its colour bar, px at scale 1
constexpr float least_patches = 120;  // least useful height of a map in a lecture, px at scale 1

/// A layer norm of the chosen block, and the quantities that its numbers belong to.
struct NormPlace {
    std::shared_ptr<const BlockTrace> block;
    const LayerNormTrace& trace;
    const LayerNormWeights& weights;
    Quantity input, mean, variance, out, gamma, beta;
    int input_block;
};
NormPlace place_of(const Scene& scene, const Selection& selection) {
    const auto t = block_of(scene, selection);
    const BlockWeights& w = weights_of(scene, selection);
    const int block = selection.focus.block;
    if (selection.focus.half == Half::attention)
        return {t,
                t->ln1,
                w.ln1,
                Quantity::z,
                Quantity::ln1_mean,
                Quantity::ln1_var,
                Quantity::ln1,
                Quantity::ln1_gamma,
                Quantity::ln1_beta,
                block - 1};
    return {t,
            t->ln2,
            w.ln2,
            Quantity::residual,
            Quantity::ln2_mean,
            Quantity::ln2_var,
            Quantity::ln2,
            Quantity::ln2_gamma,
            Quantity::ln2_beta,
            block};
}

/// The features' histogram within ± `reach`, with an edge at their mean, so that a shift changes no height.
Histogram histogram_from_mean(std::span<const float> values, double mean, double reach) {
    if (!(reach > 0)) return histogram(values, feature_bins, -1, 1);
    const double width = 2 * reach / feature_bins, edge = std::abs(mean) <= reach ? mean : 0;
    const double below = std::ceil((edge + reach) / width), above = std::ceil((reach - edge) / width);
    return histogram(values, static_cast<int>(below + above), edge - below * width, edge + above * width);
}

/// A stage: its bars, its histogram on the axis shared by all stages, mean and standard deviation.
struct StageRow {
    std::string id, title;
    std::span<const float> values;
    std::optional<Region> region = {};
    float reach = 0;
    bool done = true;  // false while the bars move: their moments are not yet those of the stage
};
void draw_stage_row(const Scene& scene, Rect rect, const StageRow& row, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Moments m = moments_of(row.values);
    const Rect bars = columns(rect, 0, 0.58F), picture = columns(rect, 0.605F, 0.76F), words = columns(rect, 0.78F, 1);
    vector_figure(scene, bars, {row.id, row.title, row.values, row.region, theme.palette.norm, row.reach, {}},
                  selection);
    scene.ui.probe.mark(row.id + ".range", bars, static_cast<double>(row.reach));
    if (!row.done) return;

    const Histogram h = histogram_from_mean(row.values, m.mean, static_cast<double>(row.reach));
    const double most = *std::max_element(h.heights.begin(), h.heights.end());
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(3);
    const Rect plot{picture.x0, picture.y0 + line, picture.x1, picture.y1};
    const auto x_of = [&](double value) {
        const auto share = static_cast<float>(0.5 + value / (2 * static_cast<double>(row.reach)));
        return plot.x0 + plot.width() * std::clamp(share, 0.0F, 1.0F);
    };
    std::string counts;
    for (std::size_t i = 0; i < h.heights.size(); ++i) {
        const float height = plot.height() * static_cast<float>(h.heights[i] / std::max(1.0, most));
        const float x = x_of(h.edges[i]);
        scene.canvas.fill({x, plot.y1 - height, std::max(x, x_of(h.edges[i + 1]) - 1), plot.y1}, theme.palette.norm);
        counts += (i == 0 ? "" : " ") + std::to_string(static_cast<int>(h.heights[i]));
    }
    scene.ui.probe.mark(row.id + ".bins", plot, static_cast<double>(h.heights.size()), counts);
    scene.canvas.line({plot.x0, plot.y1}, {plot.x1, plot.y1}, theme.palette.muted, theme.px(1));
    const float middle = plot.centre().x;
    scene.canvas.line({middle, plot.y0}, {middle, plot.y1}, theme.palette.line, theme.px(1));

    // A mean that is 0 up to rounding is written as 0.
    const auto rounded = [](double x) { return std::abs(x) < 5e-7 ? 0.0 : x; };
    const std::string mean = "μ " + number_text(rounded(m.mean)), deviation = "σ " + number_text(m.deviation);
    // A number is never truncated: it gets smaller letters or, if these do not fit either, extends to the left.
    const float widest =
        std::max(scene.canvas.measure(mean, Font::body).x, scene.canvas.measure(deviation, Font::body).x);
    const Font font = widest > words.width() ? Font::caption : Font::body;
    const float height = scene.canvas.measure("", font).y;
    const float top = plot.centre().y - height;
    const auto write = [&](float y, const std::string& number) {
        const bool fits = scene.canvas.measure(number, font).x <= words.width();
        scene.canvas.text({fits ? words.x0 : words.x1, y}, number,
                          {font, theme.palette.text, fits ? Align::left : Align::right});
    };
    write(top, mean);
    write(top + height, deviation);
    scene.ui.probe.mark(row.id + ".mean", {words.x0, top, words.x1, top + height}, rounded(m.mean), mean);
    scene.ui.probe.mark(row.id + ".deviation", {words.x0, top + height, words.x1, top + 2 * height}, m.deviation,
                        deviation);
}

std::vector<float> mixed(const std::vector<float>& from, const std::vector<float>& to, float t) {
    std::vector<float> between(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) between[i] = from[i] + (to[i] - from[i]) * t;
    return between;
}

bool norm_is_off(const Scene& scene, int block) { return norm_here(scene.now, block) == Norm::none; }

/// Draws γ and β, the learned parameters of every feature: one below the other with the signs ⊙ and +, or in one row.
void draw_learned(const Scene& scene, Rect gamma, Rect beta, const NormPlace& place, Selection& selection) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    const int block = selection.focus.block, d = scene.now.model->config.embedding_dim;
    const bool used = !norm_is_off(scene, block), in_one_row = gamma.y0 == beta.y0;
    const auto draw = [&](Rect rect, const char* name, const char* sign, const Parameter& values, Quantity quantity) {
        if (values.empty()) return;
        const std::string key = std::string("norm.") + name;
        const Rect bars = in_one_row ? rect : columns(rect, 0, 0.58F), words = columns(rect, 0.605F, 1);
        vector_figure(scene, bars,
                      {key,
                       text(used ? key : key + (in_one_row ? "_unused_short" : "_unused")),
                       {values.data(), values.size()},
                       row_region(quantity, block, 0, 0, d),
                       used ? theme.palette.text : theme.palette.muted,
                       0,
                       {}},
                      selection);
        if (in_one_row || !used) return;
        const float middle = bars.centre().y - scene.canvas.measure("", Font::heading).y / 2 + theme.px(8);
        text_line(scene, {words.x0, middle}, words.width(), sign, Font::heading, theme.palette.muted);
    };
    draw(gamma, "gamma", "⊙ γ", place.weights.gamma, place.gamma);
    draw(beta, "beta", "+ β", place.weights.beta, place.beta);
}

/// The vectors of a norm at the current time of the animation, which morphs each stage's bars into the next. A future
/// stage is blank, so that bars always agree with their text.
struct StagesInView {
    NormStages stages;
    std::vector<float> centred, scaled, out;
    bool centred_done, scaled_done, out_done;
};
StagesInView stages_in_view(const Scene& scene, const Selection& selection) {
    StagesInView in_view;
    const NormStages& s = in_view.stages = stages_of_norm(scene.now, selection);
    const float centring = phase(scene.time, 0, 0.33F), scaling = phase(scene.time, 0.33F, 0.66F),
                shifting = phase(scene.time, 0.66F, 1);
    const auto moving = [](const std::vector<float>& from, const std::vector<float>& to, float t) {
        return t > 0 ? mixed(from, to, t) : std::vector<float>();
    };
    in_view.centred = moving(s.input, s.centred, centring);
    in_view.scaled = moving(s.centred, s.scaled, scaling);
    in_view.out = moving(s.scaled, s.out, shifting);
    in_view.centred_done = centring == 1;
    in_view.scaled_done = scaling == 1;
    in_view.out_done = shifting == 1;
    return in_view;
}

/// The rows of the stages, from top to bottom, on one scale or each on its own.
class StageRows {
public:
    StageRows(const Scene& scene, Rect rect, const NormPlace& place, Selection& selection)
        : scene_(scene), place_(place), selection_(selection), stack_(rect, scene.ui.theme.px(8)), rect_(rect) {}

    void draw() {
        if (norm_is_off(scene_, selection_.focus.block)) return draw_unchanged();
        const StagesInView in_view = stages_in_view(scene_, selection_);
        const NormStages& s = in_view.stages;
        shared_reach_ = std::max({reach_of(s.input), reach_of(s.scaled), reach_of(s.out)});
        const bool few = height_of(6) < scene_.ui.theme.px(least_row);
        const float height = height_of(few ? 4 : 6);
        before(height, s.input);
        const std::string input = input_name();
        if (!few)
            row(height, {"norm.centred",
                         scene_.ui.text("norm.centred", {{"input", input}}),
                         in_view.centred,
                         {},
                         0,
                         in_view.centred_done});
        const std::string scaled =
            few ? scene_.ui.text("norm.scaled_whole", {{"input", input}}) : scene_.ui.text("norm.scaled");
        row(height, {"norm.scaled", scaled, in_view.scaled, {}, 0, in_view.scaled_done});
        learned(height, few);
        const std::optional<Region> after = in_view.out.empty() ? std::nullopt : std::optional(out_region());
        row(height, {"norm.after", scene_.ui.text("norm.after"), in_view.out, after, 0, in_view.out_done});
    }

private:
    static constexpr float least_row = 84;  // px at scale 1: with less, fewer rows are drawn

    /// Draws the norm's input alone, for a norm that is switched off.
    void draw_unchanged() {
        const std::vector<float> input = norm_input(scene_.now, selection_, selection_.focus.token);
        shared_reach_ = reach_of(input);
        const float words = scene_.ui.theme.px(58), height = (rect_.height() - words - 3 * scene_.ui.theme.px(8)) / 3;
        before(height, input);
        const Rect told = stack_.next(words);
        const std::string note = scene_.ui.text("norm.off", {{"input", input_name()}});
        text_block(scene_, columns(told, 0, 0.98F), note);
        scene_.ui.probe.mark("norm.off", told, 0, note);
        row(height,
            {"norm.unchanged", scene_.ui.text("norm.unchanged", {{"input", input_name()}}), input, out_region()});
        learned(height, true);
    }

    /// The height of each of `rows` rows, with gaps between them.
    float height_of(int rows) const {
        return (rect_.height() - static_cast<float>(rows - 1) * scene_.ui.theme.px(8)) / static_cast<float>(rows);
    }
    std::string input_name() const { return selection_.focus.half == Half::attention ? "z" : "z′"; }
    Region region(Quantity quantity, int block) const {
        return row_region(quantity, block, 0, selection_.focus.token, scene_.now.model->config.embedding_dim);
    }
    Region out_region() const { return region(place_.out, selection_.focus.block); }

    void before(float height, const std::vector<float>& input) {
        const int block = selection_.focus.block, token = selection_.focus.token;
        const bool plain =
            equations_of(scene_.now.model->config, scene_.now.experiment.what_ifs, {block}).norm != Norm::after;
        row(height, {"norm.before",
                     scene_.ui.text("norm.before", {{"input", input_name()},
                                                    {"token", short_token_name(scene_.ui, scene_.now, token)}}),
                     input, plain ? std::optional(region(place_.input, place_.input_block)) : std::nullopt});
    }
    void row(float height, StageRow stage) {
        stage.reach = selection_.focus.own_scale ? reach_of(stage.values) : shared_reach_;
        draw_stage_row(scene_, stack_.next(height), stage, selection_);
    }
    void learned(float height, bool in_one_row) {
        const Rect gamma = stack_.next(height);
        if (in_one_row)
            draw_learned(scene_, columns(gamma, 0, 0.375F), columns(gamma, 0.395F, 0.76F), place_, selection_);
        else
            draw_learned(scene_, gamma, stack_.next(height), place_, selection_);
    }

    const Scene& scene_;
    const NormPlace& place_;
    Selection& selection_;
    RectStack stack_;
    Rect rect_;
    float shared_reach_ = 1;
};

/// Draws remarks on ε's share of the variance, and on outlying features.
void draw_remarks(const Scene& scene, Rect rect, const NormPlace& place, const Selection& selection) {
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const double epsilon = static_cast<double>(c.layer_norm_epsilon);
    const NormStages s = stages_of_norm(scene.now, selection);
    RectStack stack(rect, scene.ui.theme.px(4));
    if (!norm_is_off(scene, selection.focus.block)) {
        double most = 0;
        for (const float variance : place.trace.var)
            most = std::max(most, epsilon / (static_cast<double>(variance) + epsilon));
        const double share = epsilon / (s.variance + epsilon);
        const std::string words =
            text("norm.epsilon",
                 {{"epsilon", number_text(epsilon)}, {"share", number_text(share)}, {"most", number_text(most)}});
        const float height = text_block(scene, rect, words, Font::caption);
        scene.ui.probe.mark("norm.epsilon", {rect.x0, rect.y0, rect.x1, rect.y0 + height}, share, words);
        stack.next(height);
    }

    const std::vector<int> found = outliers(s.scaled, outlier_limit);
    constexpr std::size_t most_listed = 2;
    std::string list;
    for (std::size_t i = 0; i < std::min(found.size(), most_listed); ++i)
        list += (i > 0 ? ", " : "") +
                text("norm.outlier",
                     {{"feature", scene.ui.ordinal(found[i])},
                      {"value", number_text(static_cast<double>(s.scaled[static_cast<std::size_t>(found[i])]))}});
    if (found.size() > most_listed) list += ", …";
    const auto farthest = std::ranges::max_element(s.scaled, {}, [](float deviations) { return std::abs(deviations); });
    const std::string told =
        found.empty()
            ? text("norm.no_outliers", {{"feature", scene.ui.ordinal(static_cast<int>(farthest - s.scaled.begin()))},
                                        {"most", number_text(static_cast<double>(*farthest))}})
            : text("norm.outliers",
                   {{"count", std::to_string(found.size())}, {"all", count_text(c.embedding_dim)}, {"list", list}});
    const Rect rest = stack.rest();
    const float height = text_block(scene, rest, told, Font::caption);
    scene.ui.probe.mark("norm.outliers", {rest.x0, rest.y0, rest.x1, rest.y0 + height},
                        static_cast<double>(found.size()), told);
}

/// Layout of the two maps and the remarks; `stages` is the right end of the stages as a share of the width.
struct MapPlaces {
    Rect mean, deviation;
    std::optional<Rect> remarks;
    float stages = 0.68F;
};

/// Places the maps above remarks of height `remarks`: stacked, or side by side in a broader column if larger that way.
MapPlaces places_above(const Scene& scene, float remarks) {
    const Rect& a = scene.area;
    const float gap = scene.ui.theme.px(14);
    const Rect column = columns(a, 0.72F, 1), broad = columns(a, 0.63F, 1);
    const float half = (column.height() - remarks - 2 * gap) / 2, top = broad.y1 - remarks - gap;
    RectStack stack(column, gap);
    const Rect first = stack.next(half), second = stack.next(half);
    const MapPlaces stacked{first, second, stack.rest()};
    Rect left = columns({broad.x0, broad.y0, broad.x1, top}, 0, 0.48F);
    Rect right = columns({broad.x0, broad.y0, broad.x1, top}, 0.52F, 1);
    const Rect patches = patches_of_map(scene, left);
    const bool larger = patches.height() > patches_of_map(scene, first).height();
    if (!larger || left.width() < scene.ui.theme.px(least_map)) return stacked;
    const float spare = 2 * (patches.y0 - left.y0);  // space above and below the patches
    left.y1 -= spare;
    right.y1 -= spare;
    return {left, right, Rect{broad.x0, left.y1 + gap, broad.x1, broad.y1}, 0.6F};
}

/// Places the maps and the remarks; in a lecture, maps that would be too low take the room of the remarks.
MapPlaces places_of_maps(const Scene& scene) {
    const MapPlaces places = places_above(scene, scene.ui.theme.px(154));
    if (!scene.hall || patches_of_map(scene, places.mean).height() >= scene.ui.theme.px(least_patches)) return places;
    MapPlaces larger = places_above(scene, 0);
    larger.remarks.reset();
    return larger;
}

/// Draws μ and σ of every token as maps of the image.
void draw_maps(const Scene& scene, const MapPlaces& places, const NormPlace& place, Selection& selection) {
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const int block = selection.focus.block;
    std::vector<float> deviation;
    for (const float variance : place.trace.var) deviation.push_back(std::sqrt(variance));
    const std::span<const float> mean{place.trace.mean.data(), place.trace.mean.size()};
    const float reach = reach_of(mean);
    const Region tokens{place.mean, block, 0, 0, 1, 0, c.tokens()};
    token_map(scene, places.mean,
              {"norm.mean_map",
               text("norm.mean_map"),
               mean,
               {ColourMap::diverging, -reach, reach},
               text("scope.tokens"),
               tokens,
               false,
               text("norm.mean_map")},
              selection);
    Region variances = tokens;
    variances.quantity = place.variance;
    token_map(scene, places.deviation,
              {"norm.deviation_map",
               text("norm.deviation_map"),
               deviation,
               {ColourMap::sequential, 0, reach_of(deviation)},
               text("scope.tokens"),
               variances,
               false,
               text("norm.deviation_map")},
              selection);
    if (places.remarks) draw_remarks(scene, *places.remarks, place, selection);
}

/// Draws the switch between one scale for all stages and one for each: beside the choice of a half, which ends at
/// `beside`, or below it if there is no room. Returns the height of both controls.
float own_scale_choice(const Scene& scene, Rect rect, float beside, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const std::string& words = scene.ui.text("norm.own_scale");
    const float width = theme.px(40 + 10) + scene.canvas.measure(words, Font::body).x + 2, row = theme.px(46);
    const float left = beside + theme.px(24);
    const bool fits = left + width <= rect.x1;
    ImGui::SetCursorScreenPos({fits ? left : rect.x0, rect.y0 + (fits ? theme.px(5) : row)});
    toggle(scene.ui, {"norm.own_scale", words, scene.ui.text("norm.own_scale_tip"), {}}, selection.focus.own_scale,
           fits ? width : rect.width());
    return fits ? row : row + theme.px(40);
}

}  // namespace

void layer_norm_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const NormPlace place = place_of(scene, selection);
    half_choice(scene, {a.x0, a.y0}, selection);
    const MapPlaces maps = places_of_maps(scene);
    const float choices = own_scale_choice(scene, columns(a, 0, maps.stages), ImGui::GetItemRectMax().x, selection);
    const Rect below{a.x0, a.y0 + choices, a.x1, a.y1};
    StageRows(scene, columns(below, 0, maps.stages), place, selection).draw();
    draw_maps(scene, maps, place, selection);
}

}  // namespace vitrine
