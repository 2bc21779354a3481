#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "app/chapters/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

using Numbers = std::vector<float>;

/// One of two runs, with the focus in it.
struct Looked {
    const Result& now;
    const Focus& focus;

    std::shared_ptr<const BlockTrace> block() const { return now.trace.block(focus.block); }
    Numbers row(const Tensor2& of) const {
        const auto numbers = row_of(of, focus.token);
        return {numbers.begin(), numbers.end()};
    }
    Numbers row(const Tensor3& of) const {
        const auto numbers = row_of(of, focus.head, focus.token);
        return {numbers.begin(), numbers.end()};
    }
};

/// A quantity to compare in both runs: a number for each token, or a vector of the chosen token.
struct Compared {
    const char* id;  // its words are "difference.<id>"
    bool tokens;
    Numbers (*of)(const Looked& run);
};

Numbers attention_of(const Looked& run) { return run.row(run.block()->attention); }
Numbers scores_of(const Looked& run) { return run.row(run.block()->scores); }
Numbers norm_of(const Looked& run) { return run.row(run.block()->ln1.out); }
Numbers mixed_of(const Looked& run) { return run.row(run.block()->msa); }
Numbers hidden_of(const Looked& run) { return run.row(run.block()->mlp.activation); }
Numbers out_of(const Looked& run) { return run.row(run.block()->mlp.out); }
Numbers stream_of(const Looked& run) { return run.row(run.now.trace.z(run.focus.block)); }
Numbers embedded_of(const Looked& run) { return run.row(run.now.trace.z(0)); }
Numbers lengths_of(const Looked& run) { return row_norms(run.now.trace.z(run.focus.block)); }
Numbers logits_of(const Looked& run) {
    const auto& logits = run.now.trace.head->logits;
    return {logits.begin(), logits.end()};
}

/// The quantities that a step compares, at most two.
std::array<Compared, 2> compared_by(std::string_view step) {
    constexpr Compared stream{"stream", false, stream_of}, lengths{"lengths", true, lengths_of},
        attention{"attention", true, attention_of}, logits{"logits", false, logits_of};
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, step) != names.end();
    };
    if (is({"attention", "attention_matrix", "class_token", "explanation"})) return {attention, stream};
    if (is({"scores", "qkv"})) return {Compared{"scores", true, scores_of}, attention};
    if (is({"heads"})) return {attention, Compared{"msa", false, mixed_of}};
    if (is({"layer_norm", "norm_variants", "norm_place"})) return {Compared{"norm", false, norm_of}, lengths};
    if (is({"mlp", "activation", "dropout"}))
        return {Compared{"hidden", false, hidden_of}, Compared{"mlp", false, out_of}};
    if (is({"image", "patches", "patch_embedding", "position_embedding"}))
        return {Compared{"embedded", false, embedded_of}, logits};
    if (is({"prediction", "loss", "gradients"})) return {logits, stream};
    return {lengths, stream};
}

/// Numbers as bars around 0; pointing tells those of both runs.
void draw_bars(const Scene& scene, Rect rect, const Compared& what, const Numbers& a, const Numbers& b) {
    Numbers difference(a.size());
    std::ranges::transform(a, b, difference.begin(), std::minus<>());
    const Ui& ui = scene.ui;
    const float reach = reach_of(difference);
    const Scene alone{ui, scene.now, scene.canvas, rect, 1.0F};
    const std::string id = std::string("difference.") + what.id;
    const float line = ranged_title(alone, rect, ui.text(id), reach, ui.theme.palette.muted);
    const Rect bars{rect.x0, rect.y0 + line, rect.x1, rect.y1};
    feature_bars(scene.canvas, ui, bars, {difference, reach, {}, {}});
    const int count = static_cast<int>(a.size());
    const Hit hit = hot_area(ui, id, bars, ui.text(id), {1, count});
    const bool same = std::ranges::all_of(difference, [](float x) { return x == 0; });
    const double most = same ? 0 : static_cast<double>(reach);
    ui.probe.mark(id + ".reach", bars, most, number_text(most));
    if (!hit.at) return;
    const int at =
        std::clamp(static_cast<int>((hit.at->x - bars.x0) / bars.width() * static_cast<float>(count)), 0, count - 1);
    const auto number = [&](const Numbers& of) {
        return number_text(static_cast<double>(of[static_cast<std::size_t>(at)]));
    };
    const bool classes = what.of == logits_of;
    readout(ui, std::vector<std::string>{
                    classes ? class_name(ui, *scene.now.model, at)
                            : ui.text("difference.feature", {{"feature", ui.ordinal(at)}}),
                    "A = " + number(a), "B = " + number(b),
                    "A − B = " + signed_text(static_cast<double>(difference[static_cast<std::size_t>(at)]))});
}

/// Numbers of the tokens as a map; pointing tells those of both runs.
void draw_map(const Scene& scene, Rect rect, const Compared& what, const Numbers& a, const Numbers& b,
              Selection& selection) {
    Numbers difference(a.size());
    std::ranges::transform(a, b, difference.begin(), std::minus<>());
    const float reach = reach_of(difference);
    const std::string id = std::string("difference.") + what.id;
    const Scene alone{scene.ui, scene.now, scene.canvas, rect, 1.0F};
    token_map(alone, rect,
              {id, scene.ui.text(id), difference, {ColourMap::diverging, -reach, reach}, {}, {}, false, {}, "A − B"},
              selection);
    if (const auto token = selection.hovered_token(); token && *token < static_cast<int>(a.size())) {
        const auto place = static_cast<std::size_t>(*token);
        const std::string words = scene.ui.text(
            "difference.pointed",
            {{"a", number_text(static_cast<double>(a[place]))}, {"b", number_text(static_cast<double>(b[place]))}});
        scene.ui.probe.mark(id + ".both", rect, static_cast<double>(difference[place]), words);
    }
}

/// The best classes of both runs.
float draw_answers(const Scene& scene, Rect rect) {
    float y = rect.y0;
    for (const Result* const now : {&scene.now, &scene.other->now}) {
        const auto best = top_predictions(*now->trace.head, 3);
        std::string words = now == &scene.now ? "A:" : "B:";
        for (const Prediction& each : best)
            words += "  " + class_name(scene.ui, *now->model, each.index) + " " +
                     percent_text(static_cast<double>(each.probability));
        y += text_block(scene, {rect.x0, y, rect.x1, rect.y1}, words, Font::caption) + scene.ui.theme.px(4);
    }
    scene.ui.probe.mark("difference.answers", {rect.x0, rect.y0, rect.x1, y});
    return y;
}

/// How much attention and MLP add to the stream, by relative depth: what models of any shape have in common.
void draw_depth(const Scene& scene, Rect rect) {
    const Palette& palette = scene.ui.theme.palette;
    struct Curve {
        std::vector<double> x, attention;
        double most = 0;
    };
    const auto curve_of = [](const Result& now) {
        Curve curve;
        const auto blocks = static_cast<double>(now.skip_ratios.size());
        for (const SkipRatio& ratio : now.skip_ratios) {
            curve.x.push_back((static_cast<double>(curve.x.size()) + 1) / blocks);
            curve.attention.push_back(ratio.attention);
            if (std::isfinite(ratio.attention)) curve.most = std::max(curve.most, ratio.attention);
        }
        return curve;
    };
    const Curve a = curve_of(scene.now), b = curve_of(scene.other->now);
    const float title = text_block(scene, rect, scene.ui.text("difference.depth"), Font::caption);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + title, rect.x1, rect.y1},
              {0, 1, scene.ui.text("difference.depth_axis")}, {0, std::max({a.most, b.most, 1e-6}) * 1.1, {}});
    plot.line({a.x, a.attention, palette.accent, "A"});
    plot.line({b.x, b.attention, palette.key, "B"});
    const Hit hit = hot_area(scene.ui, "difference.depth", plot.area());
    if (hit.at) plot.readout(*hit.at);
}

}  // namespace

void difference_view(const Scene& scene, const Focus& focus, Selection& selection) {
    const float gap = scene.ui.theme.px(14);
    const Looked a{scene.now, focus}, b{scene.other->now, scene.other->selection.focus};
    const std::array<Compared, 2> all = compared_by(step_at(focus).id);
    const Rect& whole = scene.area;
    const float half = (whole.height() - gap) / 2;
    float y = whole.y0;
    bool differs = false;
    for (const Compared& what : all) {
        const Numbers of_a = what.of(a), of_b = what.of(b);
        const Config &here = a.now.model->config, &there = b.now.model->config;
        const bool same =
            !of_a.empty() && of_a.size() == of_b.size() &&
            (!what.tokens || (here.leading == there.leading && here.grid_width() == there.grid_width())) &&
            (what.of != logits_of || here.labels == there.labels);
        differs = differs || !same;
        if (!same) continue;
        const Rect place{whole.x0, y, whole.x1, y + half};
        what.tokens ? draw_map(scene, place, what, of_a, of_b, selection) : draw_bars(scene, place, what, of_a, of_b);
        y += half + gap;
    }
    if (!differs) return;
    const Rect rest{whole.x0, y, whole.x1, whole.y1};
    const std::string words = scene.ui.text("difference.shapes");
    const float told = text_block(scene, rest, words, Font::caption);
    scene.ui.probe.mark("difference.shapes", {rest.x0, rest.y0, rest.x1, rest.y0 + told}, 0, words);
    const float below = draw_answers(scene, {rest.x0, rest.y0 + told + gap, rest.x1, rest.y1});
    if (rest.y1 - below > scene.ui.theme.px(120)) draw_depth(scene, {rest.x0, below + gap, rest.x1, rest.y1});
}

}  // namespace vitrine
